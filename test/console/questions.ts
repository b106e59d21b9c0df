/** Notes that become questions, for tests of the review screens. */
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import type { Note, NoteRequest } from "../../tenant/content/notes/note.ts";
import { until } from "../helpers/app.ts";
import type { Console } from "./open-console.ts";

export interface ReviewRow {
  readonly id: number;
  readonly status: string;
  readonly documentId: string;
  readonly decision: { readonly action: string; readonly reason?: string } | null;
  readonly about: { readonly file: string };
}

export type Question = ReviewRow & {
  readonly line: {
    readonly facts: Readonly<Record<string, unknown>>;
    readonly tradeId: string | null;
  };
};

/** Uploads a note of a sender whom nobody approved, and returns the question about it. */
export async function askAbout(
  app: Console,
  filename: string,
  request: NoteRequest,
): Promise<ReviewRow & { note: Note }> {
  const note = await makeNote(request);
  const form = new FormData();
  form.append("senderEmail", "notes@stranger.example");
  form.append("file", new Blob([new Uint8Array(note.pdf)], { type: "application/pdf" }), filename);
  const { accepted } = await app.ask<{ accepted: { filename: string }[] }>("/api/contract-notes", {
    method: "POST",
    body: form,
  });
  const kept = accepted[0]!.filename;
  const row = await until(`the question about ${kept}`, async () => {
    const { reviews } = await app.ask<{ reviews: ReviewRow[] }>("/api/reviews?limit=1000");
    return reviews.find(({ about }) => about.file === kept);
  });
  return { ...row, note };
}

/** Answers as the operator, and waits until the answer is carried out. */
export async function decide(app: Console, id: number, decision: object): Promise<Question> {
  await app.ask(`/api/reviews/${id}/decision`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ decision }),
  });
  return until(`the answer to question ${id}`, async () => {
    const question = await loadQuestion(app, id);
    return question.status === "applied" && question;
  });
}

/** A question about a note whose reference is booked already, with another name and quantity. */
export async function askAboutFill(app: Console, file: string, account: string) {
  // In an account of its own, so that no trade of another caller is taken for this one.
  const note = { seed: "beside", kind: "buy", language: "en", account } as const;
  const first = await askAbout(app, `${file}-first.pdf`, note);
  const facts = { name: "First Wording plc", quantity: 999, gross: null, net: null };
  const booked = await decide(app, first.id, { action: "correct", facts });
  // The same words in another file, read as they are printed.
  const second = await askAbout(app, `${file}-second.pdf`, { ...note, variant: "rotated" });
  return { id: second.id, tradeId: booked.line.tradeId! };
}

export const loadQuestion = (app: Console, id: number): Promise<Question> =>
  app.ask(`/api/reviews/${id}`);
