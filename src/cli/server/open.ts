import { Command } from "commander";
import { openApi } from "../base/client.ts";
import { launch } from "../base/launch.ts";

export function openCommand(): Command {
  return new Command("open")
    .description("open the console in your browser, at a page or at the trace of an ID")
    .argument(
      "[page]",
      "a page such as review or events, or the ID of a message, trade or document",
    )
    .option("--print", "only print the address")
    .addHelpText(
      "after",
      "\nExamples:\n  postroom open\n  postroom open review\n  postroom open AAkALgAAc0bjbgmiVowAAAAAAA0AAFGT=\n  postroom open events --print",
    )
    .action(async (page: string | undefined, options: { print?: boolean }) => {
      const api = openApi();
      const url = `${api.origin}${toPath(page ?? "")}`;
      await api.close();
      process.stdout.write(`${url}\n`);
      if (options.print !== true) await launch(url);
    });
}

/** A short plain word is a page, with what may follow it in an address; everything else is an ID. */
export function toPath(page: string): string {
  if (page === "") return "/";
  if (/^\/?[a-z-]{3,12}([/?].*)?$/.test(page)) return page.startsWith("/") ? page : `/${page}`;
  return `/trace/${encodeURIComponent(page)}`;
}
