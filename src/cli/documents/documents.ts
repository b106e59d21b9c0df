import { basename } from "node:path";
import { Command } from "commander";
import { answerOf, type Schemas } from "../../client/index.ts";
import { type ApiClient, withApi } from "../base/client.ts";
import { pc } from "../base/colours.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { readGivenFile } from "../base/given-file.ts";
import { newestOf, type Size, withSize } from "../base/newest.ts";
import { count, createOutput, type Output, plain, shortTime } from "../base/output.ts";
import { withProgress } from "../base/upload-progress.ts";
import { choice } from "../base/values.ts";

type FilingView = Schemas["Document"];

interface ListOptions extends Size {
  state?: FilingView["state"];
  review?: boolean;
  json?: boolean;
}

interface Place {
  readonly dryRun: true;
  readonly containerId: string;
  readonly path: string;
}

interface FileOptions {
  parent?: string;
  container: string;
  as?: string;
  dryRun?: boolean;
  json?: boolean;
}

export function documentsCommand(output: Output = createOutput()): Command {
  const documents = new Command("documents").description(
    "list, show and file documents in SharePoint, with their records in Dataverse",
  );
  withSize(documents.command("list"), 100)
    .description("list filed documents, newest first")
    .addOption(choice("--state <state>", "only this state", Object.keys(COLOURS)))
    .option("--review", "only documents marked for a person to look at")
    .option("--json", "print one JSON object per line")
    .addHelpText("after", "\nExample:\n  postroom documents list --state refused")
    .action((options: ListOptions) => withApi((api) => list(api, options, output)));
  documents
    .command("show <id>")
    .description("show one document: its file, its record and its state")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom documents show 3f2a61b0-…")
    .action((id: string, options: { json?: boolean }) =>
      withApi((api) => show(api, id, options, output)),
    );
  documents
    .command("reviewed <id>")
    .description("mark a document as reviewed, which removes it from list --review")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom documents reviewed 3f2a61b0-…")
    .action((id: string, options: { json?: boolean }) =>
      withApi(async (api) => {
        const document = await answerOf(
          api.client.POST("/api/documents/{id}/reviewed", { params: { path: { id } } }),
        );
        if (options.json) output.json(document);
        else output.line(`${plain(document.name)}: reviewed`);
      }),
    );
  documents
    .command("file <path>")
    .description("upload a local file to SharePoint as the app, and create its record in Dataverse")
    .option("--parent <row>", "row that the document belongs to, as sprk_matter:GUID")
    .option("--container <id>", "drive ID of the container", "default")
    .option("--as <name>", "file name in SharePoint, if different")
    .option("--dry-run", "check and show where the file would go, without uploading it")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExample:\n  postroom documents file contract.pdf --parent sprk_matter:3f2a61b0-…",
    )
    .action((path: string, options: FileOptions) =>
      withApi((api) => file(api, path, options, output)),
    );
  return documents;
}

async function list(api: ApiClient, options: ListOptions, output: Output): Promise<void> {
  const { state, review } = options;
  const filter = { state, review: review ? ("true" as const) : undefined };
  const documents = await newestOf(
    options,
    (page) =>
      answerOf(api.client.GET("/api/documents", { params: { query: { ...filter, ...page } } })),
    (page) => page.documents,
    output,
  );
  if (options.json) for (const document of documents) output.json(document);
  else if (documents.length === 0)
    output.note(
      (state ?? review) === undefined
        ? "no documents yet; file one with postroom documents file PATH"
        : "no document matches; postroom documents list shows all",
    );
  else output.table(["filed", "state", "bytes", "id", "{path}"], documents.map(toRow));
}

const COLOURS = {
  pending: pc.dim,
  uploaded: pc.yellow,
  recorded: pc.green,
  refused: pc.red,
  missing: pc.red,
} as const;

function toRow(document: FilingView): string[] {
  return [
    shortTime(document.createdAt),
    COLOURS[document.state](document.state),
    String(document.size),
    document.id,
    plain(document.path),
  ];
}

async function show(
  api: ApiClient,
  id: string,
  options: { json?: boolean },
  output: Output,
): Promise<void> {
  const answer = await answerOf(
    api.client.GET("/api/documents/{id}", { params: { path: { id } } }),
  );
  if (options.json) {
    output.json(answer);
    return;
  }
  const { document, record } = answer;
  if (document !== null) {
    output.line(`${pc.bold(plain(document.path))}  ${COLOURS[document.state](document.state)}`);
    const facts = [
      "reason",
      "source",
      "size",
      "mimeType",
      "sha256",
      "parent",
      "itemId",
      "driveId",
      "webUrl",
    ] as const;
    for (const fact of facts)
      if (document[fact] !== null)
        output.line(`  ${fact.padEnd(10)} ${plain(String(document[fact]))}`);
  }
  output.line(pc.dim(record === null ? "no record in Dataverse" : "record in Dataverse"));
  for (const [column, value] of Object.entries(record ?? {}))
    if (!column.startsWith("@")) output.line(`  ${column.padEnd(20)} ${plain(String(value))}`);
}

async function file(
  api: ApiClient,
  path: string,
  options: FileOptions,
  output: Output,
): Promise<void> {
  const bytes = await readGivenFile(path);
  const name = encodeURIComponent(options.as ?? basename(path));
  const query = new URLSearchParams({
    record: "true",
    conflictBehavior: "rename",
    ...(options.parent === undefined ? {} : { parent: options.parent }),
  });
  const url = `/api/containers/${encodeURIComponent(options.container)}/files/documents/${name}?${query}`;
  if (bytes.length === 0) throw new CommandError(`${path} is empty`, EXIT.usage);
  if (options.dryRun) {
    const place = await api.send<Place>("PUT", `${url}&dryRun=true`, Buffer.alloc(0));
    if (options.json) output.json({ ...place, size: bytes.length });
    else output.line(`would file ${count(bytes.length, "byte")} as ${plain(place.path)}`);
    return;
  }
  const answer = await api.send<{ document: FilingView }>("PUT", url, withProgress(bytes, output));
  if (options.json) output.json(answer.document);
  else {
    const { document } = answer;
    output.line(
      `${COLOURS[document.state](document.state)}  ${document.id}  ${plain(document.path)}`,
    );
  }
}
