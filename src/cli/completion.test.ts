import { execFileSync } from "node:child_process";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { findPlaces, scriptFor } from "./completion.ts";
import { buildCli } from "./main.ts";
import { toPath } from "./server/open.ts";

/** What bash offers after these words. */
function complete(...words: string[]): string[] {
  const script = `${scriptFor("bash", findPlaces(buildCli()))}
    COMP_WORDS=(postroom ${words.map((word) => `'${word}'`).join(" ")})
    COMP_CWORD=${words.length}
    _postroom
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split("\n");
}

describe("completion", () => {
  it("offers commands, their commands and their options", () => {
    expect(complete("mailb")).toEqual(["mailbox"]);
    expect(complete("dlq", "re")).toContain("replay");
    expect(complete("up", "--q")).toEqual(["--quiet"]);
    expect(complete("up", "--q", "x")).toEqual([""]);
  });

  it("offers options after arguments, and the choices of an argument", () => {
    expect(complete("mailbox", "pause", "a@b.example", "--d")).toEqual(["--dry-run"]);
    expect(complete("completion", "")).toEqual(expect.arrayContaining(["bash", "zsh", "fish"]));
  });

  it("offers in fish a command only where none of its siblings stands", () => {
    const program = new Command("x");
    for (const name of ["one", "two"]) program.addCommand(new Command(name));
    expect(scriptFor("fish", findPlaces(program))).toContain(
      "-n 'not __fish_seen_subcommand_from one two' -f -a one",
    );
  });

  it("has a script for zsh and fish with every command", () => {
    for (const shell of ["zsh", "fish"] as const) {
      const script = scriptFor(shell, findPlaces(buildCli()));
      for (const { name } of buildCli().commands.map((command) => ({ name: command.name() })))
        expect(script).toContain(name);
    }
  });

  it("keeps quotes of a description inside fish's quotes", () => {
    const program = new Command("x").addCommand(new Command("y").description("it's"));
    expect(scriptFor("fish", findPlaces(program))).toContain("-d 'it\\'s'");
  });
});

describe("the help of a command", () => {
  it("has an example", () => {
    const without: string[] = [];
    const look = (command: Command, path: string): void => {
      let text = "";
      command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
      if (!/Examples?:/.test(text)) without.push(path);
      for (const child of command.commands) look(child, `${path} ${child.name()}`);
    };
    look(buildCli(), "postroom");
    expect(without).toEqual([]);
  });
});

describe("open", () => {
  it("leads words and paths to pages and everything else to a trace", () => {
    expect([toPath(""), toPath("review"), toPath("/events?type=arrived")]).toEqual([
      "/",
      "/review",
      "/events?type=arrived",
    ]);
    expect(toPath("AAkALg=")).toBe("/trace/AAkALg%3D");
  });
});
