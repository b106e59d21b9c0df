import { Command } from "commander";
import { answerOf, type Schemas } from "../../client/index.ts";
import { tokenOfPerson } from "../base/as-person.ts";
import { type ApiClient, withApi } from "../base/client.ts";
import { pc } from "../base/colours.ts";
import { count, createOutput, type Output, plain } from "../base/output.ts";
import { choice, toCount, toDay } from "../base/values.ts";

interface SearchOptions {
  kind?: string;
  parent?: string;
  sender?: string;
  from?: string;
  to?: string;
  limit: number;
  mode: (typeof MODES)[number];
  as?: string;
  json?: boolean;
}

const MODES = ["hybrid", "text", "vector"] as const;
const AS = "search as this sample person of the local tenant (default: as the app)";

export function searchCommand(output: Output = createOutput()): Command {
  return new Command("search")
    .description("search filed documents")
    .argument("<query...>", "words to find")
    .option("--kind <kinds>", "kinds of files, separated by commas: pdf, docx, xlsx, eml, …")
    .option("--parent <row>", "row that the documents belong to, as sprk_matter:GUID")
    .option("--sender <text>", "part of the sender's name or address")
    .option("--from <date>", "documents from this day on", toDay)
    .option("--to <date>", "documents before this day", toDay)
    .addOption(
      choice(
        "--mode <mode>",
        "search by words (text), by meaning (vector) or both (hybrid)",
        MODES,
      ).default("hybrid"),
    )
    .option("--limit <n>", "maximum number of documents", toCount(50), 10)
    .option("--as <person>", AS)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom search notice period --as nina.berg")
    .action((words: string[], options: SearchOptions) =>
      asPerson(options.as, (api) => search(api, words.join(" "), options, output)),
    );
}

export function askCommand(output: Output = createOutput()): Command {
  return new Command("ask")
    .description("ask a question; the answer cites filed documents")
    .argument("<question...>", "the question")
    .option("--as <person>", AS)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      '\nExample:\n  postroom ask "When can the lease be terminated?" --as nina.berg',
    )
    .action((words: string[], options: { as?: string; json?: boolean }) =>
      asPerson(options.as, (api) => ask(api, words.join(" "), options, output)),
    );
}

async function asPerson(
  person: string | undefined,
  work: (api: ApiClient) => Promise<void>,
): Promise<void> {
  const token = person === undefined ? undefined : await tokenOfPerson(person);
  await withApi(work, token);
}

async function search(
  api: ApiClient,
  q: string,
  { as: _, json, ...query }: SearchOptions,
  output: Output,
): Promise<void> {
  const answer = await answerOf(
    api.client.GET("/api/search", { params: { query: { q, ...query } } }),
  );
  if (json) return output.json(answer);
  if (answer.degraded !== null) output.note(answer.degraded);
  if (answer.results.length === 0) return output.note("no document that you may read matches");
  noteMissing(answer.missing, output);
  for (const { name, parent, passages, documentId } of answer.results) {
    const of = parent?.name == null ? "" : pc.dim(`  ${plain(parent.name)}`);
    output.line(`${pc.bold(plain(name))}${of}  ${pc.dim(documentId)}`);
    for (const passage of passages.slice(0, 1)) output.line(`  ${shown(passage)}`);
  }
  const { documents, isMore } = answer.count;
  output.note(`${isMore ? "more than " : ""}${count(documents, "document")}`);
}

/** A name that is nowhere is what a reader must know first: the rest may be about somebody else. */
function noteMissing(words: readonly string[], output: Output): void {
  if (words.length === 0) return;
  const list = words.map((word) => `“${plain(word)}”`).join(", ");
  output.note(`none of these documents contains ${list}; similar words were searched too`);
}

type Passage = Pick<Schemas["FoundPassage"], "text" | "page" | "label"> & {
  readonly highlights: readonly (readonly number[])[];
};

function shown({ text, highlights, page, label }: Passage): string {
  let marked = "";
  let at = 0;
  for (const [from = 0, to = 0] of highlights) {
    marked += plain(text.slice(at, from)) + pc.yellow(plain(text.slice(from, to)));
    at = to;
  }
  marked += plain(text.slice(at));
  return `${pc.dim(place(page, label))}${marked.replace(/\s+/g, " ")}`;
}

const place = (page: number | null, label: string | null): string =>
  page === null ? "" : `p. ${page}${label === null ? "" : ` (${plain(label)})`}: `;

async function ask(
  api: ApiClient,
  question: string,
  options: { json?: boolean },
  output: Output,
): Promise<void> {
  const answer = await answerOf(api.client.POST("/api/ask", { body: { question } }));
  if (options.json) return output.json(answer);
  if (answer.degraded !== null) output.note(answer.degraded);
  if (answer.kind !== "none") noteMissing(answer.missing, output);
  output.line(plain(answer.kind === "quotes" ? "The best passages:" : answer.answer));
  for (const { name, page, label, words } of answer.citations)
    output.line(
      `  ${pc.bold(plain(name))}, ${pc.dim(place(page, label))}“${plain(words).replace(/\s+/g, " ")}”`,
    );
}
