/** Questions and their answers. */
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../../src/client/index.ts";
import { ask, request, tell, toUrl } from "./api.ts";
import { queryClient } from "./query.ts";
import type { TradeView } from "./trades.ts";

export interface ReviewRow {
  readonly id: number;
  readonly subject: "line" | "document" | "order";
  readonly lineId: string | null;
  readonly documentId: string | null;
  readonly tradeId: string | null;
  readonly reason: string;
  readonly reasons: readonly string[];
  readonly status: "open" | "decided" | "applied";
  readonly assignee: string | null;
  readonly openedAt: string;
  readonly decidedAt: string | null;
  readonly decidedBy: string | null;
  readonly decision: StoredDecision | null;
  readonly refusal: string | null;
  readonly about: {
    readonly file: string | null;
    readonly sender: string | null;
    readonly trade: string | null;
  };
}

/** Where a value is printed on the page, in points from its top left. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface FieldEvidence {
  readonly value: string;
  readonly confidence: number | null;
  readonly isGrounded?: boolean;
  readonly source?: { readonly page: number; readonly box?: Box; readonly text?: string } | null;
}

export type Facts = Readonly<Record<string, string | number | boolean | null>>;

export interface TradeLine {
  readonly id: string;
  readonly position: number;
  readonly facts: Facts;
  readonly confidence: number;
  readonly outcome: string;
  readonly tradeId: string | null;
  readonly evidence: Readonly<Record<string, FieldEvidence | undefined>>;
}

export interface Question extends ReviewRow {
  readonly decidedByName: string | null;
  readonly line: TradeLine | null;
  readonly lines: readonly TradeLine[];
  readonly document: {
    readonly id: string;
    readonly filename: string;
    readonly senderEmail: string;
    readonly receivedAt: string;
    readonly status: string;
    readonly reason: string | null;
    readonly messageId: string | null;
    readonly sha256: string;
  } | null;
  /** The trade whose order is asked for. */
  readonly trade: Schemas["TradeRow"] | null;
  /** Booked trades that the line may report once more, change or cancel. */
  readonly candidates: readonly TradeView[];
}

export type Decision =
  | { readonly action: "accept" }
  | { readonly action: "correct"; readonly facts: Facts }
  | { readonly action: "reject" | "not-a-note"; readonly reason: string }
  | { readonly action: "split"; readonly lines: readonly Facts[] }
  | { readonly action: "link"; readonly tradeId?: string; readonly orderId?: number }
  | { readonly action: "approve-sender" };

/** An answer as it is stored; a document that was read again has one that no button gives. */
export type StoredDecision =
  | Decision
  | { readonly action: "unlock" }
  | { readonly action: "replace"; readonly filename: string };

interface Queue {
  readonly reviews: ReviewRow[];
  readonly open: number;
}

/** How often open questions are looked at again. */
const LOOK_MS = 10_000;
const OPEN = { status: "open", limit: 1000 } as const;

export function useReviews() {
  return useQuery({
    queryKey: ["reviews"],
    queryFn: ({ signal }) => ask<Queue>("/api/reviews", OPEN, signal),
    refetchInterval: LOOK_MS,
  });
}

export const findOpen = async (): Promise<readonly ReviewRow[]> =>
  (await ask<Queue>("/api/reviews", OPEN)).reviews;

const questionQuery = (id: number) => ({
  queryKey: ["reviews", id],
  queryFn: ({ signal }: { signal: AbortSignal }) => ask<Question>(`/api/reviews/${id}`, {}, signal),
  staleTime: 30_000,
});

/** Asked for again and again, because somebody else may answer it meanwhile. */
export const useQuestion = (id: number) =>
  useQuery({ ...questionQuery(id), refetchInterval: LOOK_MS });

export const loadQuestion = (id: number): Promise<Question> => ask(`/api/reviews/${id}`);

const noteQuery = (documentId: string) => ({
  queryKey: ["note", documentId],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await request("GET", `/api/notes/${documentId}/content`, { signal })).arrayBuffer(),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 60_000,
});

export const useNote = (documentId: string) => useQuery(noteQuery(documentId));

/** Loads the next questions before they are needed. */
export function preload(ids: readonly number[]): void {
  for (const id of ids)
    void queryClient
      .fetchQuery(questionQuery(id))
      .then(({ document }) => document && queryClient.prefetchQuery(noteQuery(document.id)))
      .catch(() => {}); // it is loaded again when it is shown, and then says what is wrong
}

export const decide = (id: number, decision: Decision): Promise<{ jobId: string }> =>
  tell("POST", `/api/reviews/${id}/decision`, { decision });

export const undoAnswer = (id: number, reason: string): Promise<unknown> =>
  tell("POST", `/api/reviews/${id}/undo`, { reason });

/** The document is read at once: a wrong password is refused, and none is kept. */
export async function givePassword(id: number, password: string): Promise<void> {
  await tell("POST", `/api/reviews/${id}/password`, { password });
  void queryClient.invalidateQueries({ queryKey: ["reviews"] });
}

/** Another PDF in place of one that cannot be read. */
export async function giveFile(id: number, file: File): Promise<void> {
  const url = toUrl(`/api/reviews/${id}/file`, { filename: file.name });
  const headers = { "content-type": "application/octet-stream" };
  await request("PUT", url, { body: file, headers });
  void queryClient.invalidateQueries({ queryKey: ["reviews"] });
}
