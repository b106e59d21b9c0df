import type { Command } from "commander";
import { answerOf } from "../../client/index.ts";
import { withApi } from "../base/client.ts";
import { launch } from "../base/launch.ts";
import type { Output } from "../base/output.ts";

interface Options {
  readonly connection: string;
  readonly open?: boolean;
  readonly json?: boolean;
}

export function addConnect(mailbox: Command, output: Output): void {
  mailbox
    .command("connect <address>")
    .description("let a person connect their own mailbox: print the URL where they sign in")
    .option("--connection <name>", "connection whose app asks for the consent", "default")
    .option("--open", "open the page in the browser of this machine")
    .option("--json", "print JSON")
    .action((address: string, options: Options) =>
      withApi(async (api) => {
        const answer = await answerOf(
          api.client.POST("/api/mailboxes/{address}/connect", {
            params: { path: { address } },
            body: { connection: options.connection },
          }),
        );
        if (options.open) await launch(answer.url);
        if (options.json) return output.json(answer);
        output.line(`${address} signs in here, within ten minutes:`);
        output.line(answer.url);
      }),
    );
}
