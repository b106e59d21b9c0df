/** The Kubernetes objects that the command prints, and the chart that renders to them. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { chartFiles } from "../../src/cli/deploy/chart.ts";
import type { KubernetesObject } from "../../src/cli/deploy/values.ts";
import { loadConfig } from "../../src/config.ts";
import { commandsFor } from "../helpers/cli.ts";
import { problemsOf } from "./check-object.ts";
import { render } from "./render-chart.ts";

const CHART = resolve(import.meta.dirname, "../../deploy/helm/postroom");
const postroom = commandsFor({ home: "/nowhere", port: 1 });
const SETTINGS = {
  ARCHIVE_STORE: "azure://notes",
  GRAPH_WEBHOOK_URL: "https://a.example/?b=<1>&c",
};
const SET = Object.entries(SETTINGS).flatMap(([name, value]) => ["--set", `${name}=${value}`]);

async function manifests(...more: string[]): Promise<KubernetesObject[]> {
  const { code, out, err } = await postroom(["deploy", "manifests", ...SET, ...more]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return parseAllDocuments(out).map((each) => each.toJS() as KubernetesObject);
}

const byName = (objects: readonly KubernetesObject[]) =>
  Object.fromEntries(objects.map((each) => [`${each.kind} ${each.metadata.name}`, each]));

interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}
const containersIn = (objects: readonly KubernetesObject[]): Container[] =>
  objects.flatMap((each) => {
    const spec = each["spec"] as { template?: { spec: { containers: Container[] } } } | undefined;
    return spec?.template?.spec.containers ?? [];
  });

describe("the objects for Kubernetes", () => {
  it("each is one that the API accepts: no field of a wrong type, none missing, none unknown", async () => {
    const objects = await manifests("--host", "postroom.example");
    expect(Object.keys(byName(objects))).toHaveLength(13);
    for (const object of objects)
      expect([object.kind, await problemsOf(object)]).toEqual([object.kind, []]);
  });

  it.each([
    ["a number as text", { spec: { replicas: "2" } }, "/spec/replicas type"],
    ["a misspelt field", { spec: { replicass: 2 } }, "/spec/replicass unknown"],
    ["no template", { spec: { template: undefined } }, "/spec required"],
  ])("%s is noticed", async (_, change, problem) => {
    const found = (await manifests()).find((each) => each.kind === "Deployment")!;
    const spec = { ...(found["spec"] as object), ...change.spec };
    expect(await problemsOf({ ...found, spec })).toEqual([problem]);
  });

  it("every role is a deployment that Postroom can start with these settings", async () => {
    const started = containersIn(await manifests());
    expect(started.map(({ name, args }) => [name, ...args])).toEqual([
      ["migrate", "migrate"],
      ["intake", "serve", "--role", "intake"],
      ["api", "serve", "--role", "api"],
      ["worker", "serve", "--role", "worker"],
    ]);
    for (const { env } of started) {
      const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      const { POSTROOM_SECRETS: _, ...settings } = given;
      expect(loadConfig(settings)).toMatchObject({ host: "0.0.0.0", port: 8010, home: "/data" });
    }
  });

  it.each([
    ["--set GRAPH_CLIENT_SECRET=x", "GRAPH_CLIENT_SECRET is a secret"],
    ["--set DATABASE_URL_FILE=/x", "DATABASE_URL_FILE is a secret"],
    ["--set NO_SUCH=1", "there is no setting NO_SUCH"],
    ["--set ARCHIVE_STORE=disk", "a pod loses its disk when it ends"],
    ["--set ARCHIVE_STORE", "--set takes NAME=value"],
  ])("%s is refused", async (given, words) => {
    const { code, err, out } = await postroom([
      ...["deploy", "manifests", ...SET],
      ...given.split(" "),
    ]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(words);
  });
});

describe("the chart", () => {
  const files = chartFiles((value) =>
    stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }),
  );
  const read = (path: string) => readFileSync(join(CHART, path), "utf8");
  const templates = Object.keys(files).filter((path) => path.startsWith("templates/"));
  const rendered = (changes: object = {}): KubernetesObject[] => {
    const Values = { ...(parse(read("values.yaml")) as object), settings: SETTINGS, ...changes };
    const Chart = { AppVersion: (parse(read("Chart.yaml")) as { appVersion: string }).appVersion };
    return templates
      .map((path) => render(read(path), { Values, Chart, Release: { Name: "postroom" } }))
      .filter((text) => text.trim() !== "")
      .map((text) => parse(text) as KubernetesObject);
  };

  // `vitest -u` writes it again.
  it.each(Object.keys(files))("%s is what the program writes", async (path) => {
    await expect(files[path]).toMatchFileSnapshot(join(CHART, path));
  });

  it("has no other files", () => {
    const found = readdirSync(CHART, { recursive: true, encoding: "utf8" });
    expect(found.filter((path) => path.includes(".")).sort()).toEqual(Object.keys(files).sort());
  });

  it("is refused where no folder can be created, instead of tried forever", async () => {
    const { code, err } = await postroom(["deploy", "chart", "/proc/x"]);
    expect({ code, err }).toEqual({
      code: 1,
      err: "postroom: /proc/x: no folder can be created in /proc\n",
    });
  });

  it("renders to the same objects as the command", async () => {
    expect(byName(rendered())).toEqual(byName(await manifests()));
    const ingress = {
      isOn: true,
      host: "a.example",
      className: "nginx",
      tlsSecretName: "postroom-tls",
    };
    expect(byName(rendered({ ingress }))).toEqual(byName(await manifests("--host", "a.example")));
  });

  it("leaves out what is off, and then says itself how many workers there are", () => {
    const off = { isOn: false, workersMax: 8, queueAgeSeconds: "60" };
    const objects = byName(rendered({ autoscaling: off, networkPolicy: { isOn: false } }));
    expect(Object.keys(objects).filter((name) => /^(Horizontal|Network)/.test(name))).toEqual([]);
    expect(objects["Deployment postroom-worker"]).toMatchObject({ spec: { replicas: 2 } });
  });

  it("refuses values without an archive, and secrets among the settings", () => {
    const check = new Ajv().compile(JSON.parse(read("values.schema.json")) as object);
    const values = parse(read("values.yaml")) as object;
    expect(check({ ...values, settings: SETTINGS })).toBe(true);
    expect(check(values)).toBe(false);
    expect(check({ ...values, settings: { ...SETTINGS, API_CLIENT_SECRET: "x" } })).toBe(false);
    expect(check({ ...values, settings: SETTINGS, replica: {} })).toBe(false);
  });
});
