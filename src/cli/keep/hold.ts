import { Command, Option } from "commander";
import { answerOf } from "../../client/index.ts";
import { rowsOf, withApi } from "../base/client.ts";
import { createOutput, type Output, plain, shortTime } from "../base/output.ts";

interface Options {
  readonly kind: "person" | "trade" | "note";
  readonly why: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function holdCommand(output: Output = createOutput()): Command {
  const hold = new Command("hold").description(
    "manage legal holds, which keep people, trades and notes from being erased",
  );
  addList(hold, output);
  hold
    .command("set <subject>")
    .description("keep a person (by address), a trade or a contract note (by ID) from being erased")
    .addOption(
      new Option("--kind <kind>", "kind of the subject")
        .choices(["person", "trade", "note"])
        .default("person"),
    )
    .requiredOption("--why <text>", "reason, shown in the report of an erasure")
    .option("--dry-run", "check without setting")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      '\nExample:\n  postroom hold set omar@ashdown.example --why "case 2026/17"',
    )
    .action((subject: string, { kind, why: reason, dryRun = false, json }: Options) =>
      withApi(async (api) => {
        const body = { kind, subject, reason, dryRun };
        const answer = await answerOf(api.client.POST("/api/holds", { body }));
        if (json) output.json(answer);
        else if ("dryRun" in answer) output.line(`${plain(subject)}: can be held`);
        else output.line(`${plain(subject)} is held (hold ${answer.id})`);
      }),
    );
  hold
    .command("release <id>")
    .description("end a hold; this erases nothing")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom hold release 3")
    .action((id: string, options: { json?: boolean }) =>
      withApi(async (api) => {
        const answer = await answerOf(
          api.client.DELETE("/api/holds/{id}", { params: { path: { id } } }),
        );
        if (options.json) output.json(answer);
        else output.line(`hold ${answer.id} was released`);
      }),
    );
  return hold;
}

function addList(hold: Command, output: Output): void {
  hold
    .command("list")
    .description("list what is held, and why")
    .option("--json", "print one JSON object per line")
    .addHelpText("after", "\nExample:\n  postroom hold list")
    .action((options: { json?: boolean }) =>
      withApi(async (api) => {
        const rows = await rowsOf(
          (cursor) => answerOf(api.client.GET("/api/holds", { params: { query: { cursor } } })),
          (page) => page.holds,
        );
        if (options.json) for (const row of rows) output.json(row);
        else if (rows.length === 0) output.note("nothing is held");
        else
          output.table(
            ["id", "kind", "subject", "set by", "at", "{because}"],
            rows.map((row) => [
              String(row.id),
              row.kind,
              plain(row.subject),
              plain(row.setByName ?? row.setBy),
              shortTime(row.setAt),
              plain(row.reason),
            ]),
          );
      }),
    );
}
