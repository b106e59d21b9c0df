import { vi } from "vitest";
import { thisTerminal } from "../../src/cli/base/output.ts";
import { runCli } from "../../src/cli/main.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs commands in this process as if they were typed, against the server with this home folder. */
export function commandsFor(server: { readonly home: string; readonly port: number }) {
  return async (typed: string | readonly string[], columns: number | null = null): Promise<Ran> => {
    const words = typeof typed === "string" ? typed.split(" ") : typed;
    let [out, err] = ["", ""];
    const write = (text: string) => {
      out += text;
    };
    const writeNote = (text: string) => {
      err += text;
    };
    vi.stubEnv("POSTROOM_HOME", server.home);
    vi.stubEnv("PORT", String(server.port));
    // The tenant's commands write to the process.
    const stdout = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      write(String(text));
      return true;
    });
    try {
      const isJson = words.includes("--json");
      const terminal = { ...thisTerminal({ isJson }), write, writeNote, columns };
      const code = await runCli(["node", "postroom", ...words], terminal);
      return { code, out, err };
    } finally {
      stdout.mockRestore();
      vi.unstubAllEnvs();
    }
  };
}
