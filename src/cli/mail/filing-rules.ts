import { type Command, Option } from "commander";
import { answerOf } from "../../client/index.ts";
import { withApi } from "../base/client.ts";
import { type Output, plain, shortTime } from "../base/output.ts";

interface FileOptions {
  readonly parent?: string;
  readonly container?: string;
  readonly remove?: boolean;
  readonly json?: boolean;
}

/** `mailbox file` and `mailbox filing`. */
export function addFilingVerbs(mailbox: Command, output: Output): void {
  mailbox
    .command("file <address> <folder>")
    .description("file new mail of a folder as documents; * stands for the whole mailbox")
    .option("--parent <row>", "row that the documents belong to, such as sprk_matter:ID")
    .option("--container <id>", "drive ID of the container, if not the default one")
    .addOption(
      new Option("--remove", "stop filing this folder; its documents stay").conflicts([
        "parent",
        "container",
      ]),
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nMail that is already there is filed by `postroom ingest backfill`.\n\nExample:\n  postroom mailbox file legal@ashdown.example Inbox",
    )
    .action((address: string, folder: string, options: FileOptions) =>
      withApi(async (api) => {
        if (options.remove) {
          const params = { path: { address }, query: { folder } };
          const answer = await answerOf(
            api.client.DELETE("/api/mailboxes/{address}/filing", { params }),
          );
          if (options.json) output.json(answer);
          else output.line(`${address}: ${folder} is no longer filed`);
          return;
        }
        const rule = { folder, parent: options.parent, containerId: options.container };
        const params = { path: { address } };
        const answer = await answerOf(
          api.client.PUT("/api/mailboxes/{address}/filing", { params, body: rule }),
        );
        if (options.json) output.json(answer);
        else {
          output.line(`${address}: mail in ${folder} is filed from now on`);
          output.note(
            `for earlier mail: postroom ingest backfill --mailbox ${address} --since DATE`,
          );
        }
      }),
    );
  mailbox
    .command("filing <address>")
    .description("list the folders whose mail is filed")
    .option("--json", "print one JSON object per line")
    .addHelpText("after", "\nExample:\n  postroom mailbox filing legal@ashdown.example")
    .action((address: string, options: { json?: boolean }) =>
      withApi(async (api) => {
        const { rules } = await answerOf(
          api.client.GET("/api/mailboxes/{address}/filing", { params: { path: { address } } }),
        );
        if (options.json) for (const rule of rules) output.json(rule);
        else if (rules.length === 0) output.note(`${address} files no mail`);
        else
          output.table(
            ["[folder]", "since", "{parent}", "{container}"],
            rules.map((rule) => [
              plain(rule.folder),
              shortTime(rule.since),
              plain(rule.parent ?? "–"),
              plain(rule.containerId ?? "–"),
            ]),
          );
      }),
    );
}
