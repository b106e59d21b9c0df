import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EvidenceBundle } from "../../archive/evidence.ts";
import { systemClock } from "../../lib/clock.ts";
import { systemRandom } from "../../lib/random.ts";
import type { CommandError } from "../base/exit.ts";
import { createOutput } from "../base/output.ts";
import { evidenceCommand } from "./evidence.ts";

describe("postroom evidence", () => {
  let root: string;
  let to: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "postroom-cli-evidence-"));
    to = join(root, "case");
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const run = async (...args: string[]) => {
    const lines: string[] = [];
    let exitCode = 0;
    let failure = "";
    const command = evidenceCommand({
      loadEvidence: async ({ kind, id }) => (id === "known" ? aBundle(kind) : null),
      clock: systemClock,
      random: systemRandom,
      output: createOutput({
        write: (text) => lines.push(text.trimEnd()),
        writeNote: (text) => lines.push(text.trimEnd()),
      }),
    });
    for (const each of [command, ...command.commands]) {
      each.exitOverride().configureOutput({ writeErr: (text) => lines.push(text) });
    }
    await command.parseAsync(args, { from: "user" }).catch((error: CommandError) => {
      exitCode = error.exitCode;
      failure = error.message;
    });
    return { exitCode, text: lines.join("\n"), failure };
  };

  it("export writes a folder that verify finds intact", async () => {
    const exported = await run("export", "--message", "known", "--to", to, "--json");
    const { head, files } = JSON.parse(exported.text);
    expect([exported.exitCode, files.length]).toEqual([0, 6]);
    const verified = await run("verify", to, "--expect", head);
    expect(verified).toMatchObject({ exitCode: 0, text: `intact: 6 files, head ${head}` });
  });

  it("verify ends with 1 and names the changed byte's place", async () => {
    await run("export", "--trade", "known", "--to", to);
    const file = join(to, "messages/001.eml");
    const bytes = await readFile(file);
    bytes[3]! ^= 1;
    await writeFile(file, bytes);
    const plain = await run("verify", to);
    expect(plain.exitCode).toBe(1);
    expect(plain.text).toContain("changed: messages/001.eml was changed in bytes 0–");
    const json = await run("verify", to, "--json");
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.text)).toMatchObject({
      isIntact: false,
      problems: [{ kind: "changed", path: "messages/001.eml" }],
    });
  });

  it("a dry run says what it would write and writes nothing", async () => {
    const said = await run("export", "--message", "known", "--to", to, "--dry-run");
    expect(said.exitCode).toBe(0);
    expect(said.text).toContain("messages/001.eml");
    expect(await readdir(root)).toEqual([]);
  });

  it("an unknown message ends with 1, a call without a subject with 2", async () => {
    expect(await run("export", "--message", "nobody", "--to", to)).toEqual({
      exitCode: 1,
      text: "",
      failure:
        "no contract note is known for the message nobody; postroom trades list and postroom ingest mails show IDs",
    });
    expect((await run("export", "--to", to)).exitCode).toBe(2);
    expect((await run("export", "--message", "a", "--trade", "b", "--to", to)).exitCode).toBe(2);
  });
});

function aBundle(kind: "message" | "trade"): EvidenceBundle {
  return {
    subject: { kind, id: "known" },
    messages: [{ messageId: "known", mailbox: null, eml: Buffer.from("From: a@b.co\r\n\r\nx") }],
    documents: [],
    decisions: [],
    trades: [],
    notifications: [],
    events: [],
    missing: [],
  };
}
