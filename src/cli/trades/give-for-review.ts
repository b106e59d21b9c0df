/** What a reviewer gives for a document that could not be read. A password never appears on the command line itself. */
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import type { ApiClient } from "../base/client.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { readGivenFile, readGivenText } from "../base/given-file.ts";
import type { Output } from "../base/output.ts";
import { withProgress } from "../base/upload-progress.ts";

type Given = { readonly password: string } | { readonly filename: string; readonly bytes: Buffer };

export async function readGiven(options: {
  readonly passwordFile?: string;
  readonly file?: string;
}): Promise<Given> {
  const { passwordFile, file } = options;
  if ((passwordFile === undefined) === (file === undefined))
    throw new CommandError("use either --password-file or --file", EXIT.usage);
  if (file !== undefined) return { filename: basename(file), bytes: await readGivenFile(file) };
  const source = passwordFile === "-" ? text(process.stdin) : readGivenText(passwordFile!);
  // Editors and echo end a file with a line break.
  const password = (await source).replace(/\r?\n$/, "");
  if (password === "") throw new CommandError("the password is empty", EXIT.usage);
  return { password };
}

export async function sendGiven(
  api: ApiClient,
  id: string,
  given: Given,
  output: Output,
): Promise<void> {
  if ("password" in given) {
    await api.client.POST("/api/reviews/{id}/password", {
      params: { path: { id } },
      body: { password: given.password },
    });
    return;
  }
  const name = encodeURIComponent(given.filename);
  await api.send(
    "PUT",
    `/api/reviews/${encodeURIComponent(id)}/file?filename=${name}`,
    withProgress(given.bytes, output),
  );
}
