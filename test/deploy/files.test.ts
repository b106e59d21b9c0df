/** The files of deploy/ that nothing can carry out here are at least what Postroom expects. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { USER } from "../../src/cli/deploy/pods.ts";
import { isSecretSetting } from "../../src/config/secret-files.ts";
import { isSetting } from "../../src/config.ts";
import { readImage, readStages } from "./image.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

describe("the image", () => {
  const stages = readStages();
  const image = readImage(stages.at(-1)!);

  it("is a user without rights with the number that Kubernetes starts it with", () => {
    expect(image.user).toBe(`${USER}:${USER}`);
  });

  it("copies what exists, from this checkout or from an earlier stage", () => {
    const earlier = stages.slice(0, -1).map(({ name }) => name);
    const ignored = read("deploy/Dockerfile.dockerignore").split("\n");
    for (const { from, sources } of image.copies)
      if (from !== null) expect(earlier).toContain(from);
      else
        for (const source of sources)
          expect([source, existsSync(join(ROOT, source)), ignored.includes(source)]).toEqual([
            ...[source, true, false],
          ]);
  });

  it("starts the program and its health check from what it copied", () => {
    for (const [program, file] of [image.entrypoint, image.healthCheck])
      expect([program, existsSync(join(ROOT, file!))]).toEqual(["node", true]);
    const { NODE_ENV: _, ...settings } = image.environment;
    expect(Object.keys(settings).filter((name) => !isSetting(name))).toEqual([]);
    expect(image.volumes).toContain(settings["POSTROOM_HOME"]);
  });
});

interface Service {
  readonly command?: readonly string[];
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets?: Readonly<Record<string, unknown>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
}

describe("a compose file", () => {
  const names = readdirSync(join(ROOT, "deploy")).filter((name) => name.startsWith("compose"));
  const load = (name: string) => parse(read(`deploy/${name}`), { merge: true }) as Compose;
  const base = load("compose.yaml");
  const isOurs = ({ image = "postroom" }: Service) => image === "postroom";

  it.each(names)(
    "%s gives Postroom only settings that it has, and secrets by their names",
    (name) => {
      const services = Object.values(load(name).services).filter(isOurs);
      expect(services.length).toBeGreaterThan(0);
      for (const { environment = {}, secrets = [] } of services) {
        expect(Object.keys(environment).filter((each) => !isSetting(each))).toEqual([]);
        expect(secrets.filter((each) => !isSecretSetting(each))).toEqual([]);
      }
    },
  );

  it.each(names)("%s names services, secrets and volumes that exist", (name) => {
    const { services, secrets = {}, volumes = {} } = load(name);
    const known = name === "compose.redis.yaml" ? { ...base.services, ...services } : services;
    for (const service of Object.values(services)) {
      const needed = Object.keys(service.depends_on ?? {});
      expect(needed.filter((each) => known[each] === undefined)).toEqual([]);
      expect((service.secrets ?? []).filter((each) => !(each in secrets))).toEqual([]);
      const used = (service.volumes ?? []).map((each) => each.split(":")[0]!);
      expect(used.filter((each) => !(each in volumes))).toEqual([]);
    }
  });

  it("starts every role, after the database is up to date", () => {
    const roles = Object.values(base.services).flatMap(({ command = [] }) => command.slice(2));
    expect(roles.join(",").split(",").sort()).toEqual(["api", "intake", "worker"]);
    for (const role of ["server", "worker"])
      expect(base.services[role]!.depends_on).toHaveProperty("migrate");
  });
});

describe("a unit of systemd", () => {
  const folder = join(ROOT, "deploy/systemd");
  const units = readdirSync(folder);
  const isThere = spawnSync("systemd-analyze", ["--version"]).status === 0;

  it.each(units)("%s gives Postroom only settings that it has", (unit) => {
    const given = [...read(`deploy/systemd/${unit}`).matchAll(/^Environment=(\w+)=/gm)];
    const names = given.map((match) => match[1]!).filter((name) => name !== "NODE_ENV");
    expect(names).toContain("POSTROOM_HOME");
    expect(names.filter((name) => !isSetting(name))).toEqual([]);
  });

  if (isThere)
    it("all of them pass systemd's own check", () => {
      const run = spawnSync(
        "systemd-analyze",
        ["verify", ...units.map((unit) => join(folder, unit))],
        { encoding: "utf8" },
      );
      // Other units of this machine are checked too, as far as ours name them.
      const said = run.stderr.split("\n").filter((line) => line.includes("postroom"));
      expect({ status: run.status, said }).toEqual({ status: 0, said: [] });
    });
  else
    it("nothing checks them, because systemd-analyze is absent here", () => {
      console.log("not checked: the units of systemd");
    });
});
