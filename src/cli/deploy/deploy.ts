import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { readDotEnv } from "../../config/gather-settings.ts";
import { isSecretSetting } from "../../config/secret-files.ts";
import { isSetting } from "../../config.ts";
import { canonicalJson } from "../../lib/canonical-json.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { loadDriver } from "../../lib/load-driver.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { VERSION } from "../../lib/version.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { createOutput, type Output } from "../base/output.ts";
import { toCount } from "../base/values.ts";
import { chartFiles } from "./chart.ts";
import { objectsOf } from "./objects.ts";
import { DEFAULTS, type DeployValues } from "./values.ts";

interface ManifestOptions {
  readonly json?: boolean;
  readonly name: string;
  readonly image: string;
  readonly set: Readonly<Record<string, string>>;
  readonly settings?: string;
  readonly secret: string;
  readonly host?: string;
  readonly workersMax: number;
}

export function deployCommand(output: Output = createOutput()): Command {
  const deploy = new Command("deploy").description(
    "generate Kubernetes manifests or a Helm chart for Postroom",
  );
  deploy
    .command("manifests")
    .description("print the Kubernetes objects of an installation")
    .option("--name <name>", "name of the installation", toLabel, DEFAULTS.name)
    .option(
      "--image <image>",
      "name of the image, without a tag: the version is the tag",
      DEFAULTS.image,
    )
    .addOption(
      new Option("--set <name=value>", "setting that is not secret (repeatable)")
        .argParser(collect)
        .default({}, "none"),
    )
    .option("--settings <folder>", "folder with a .env file of settings that are not secret")
    .option(
      "--secret <name>",
      "Kubernetes secret with the secret settings",
      toHostName,
      DEFAULTS.secretName,
    )
    .option("--host <host>", "public host name; adds an ingress", toHostName)
    .option("--workers-max <n>", "maximum number of workers", toCount(1_000), 8)
    .option("--json", "print one JSON object per line")
    .addHelpText(
      "after",
      "\nExample:\n  postroom deploy manifests --set ARCHIVE_STORE=azure://notes | kubectl apply -f -",
    )
    .action((options: ManifestOptions) => printManifests(options, output));
  deploy
    .command("chart <folder>")
    .description("write a Helm chart that renders the same objects")
    .addHelpText("after", "\nExample:\n  postroom deploy chart ./chart")
    .action((folder: string) => writeChart(folder, output));
  return deploy;
}

/** Services are named after the installation and a role, so the name must leave room for the role. */
function toLabel(text: string): string {
  if (/^[a-z]([a-z\d-]{0,38}[a-z\d])?$/.test(text)) return text;
  throw new InvalidArgumentError(
    "Use at most 40 lower-case letters, digits and hyphens, beginning with a letter.",
  );
}

/** What Kubernetes accepts as the host of an ingress and as the name of a secret. */
function toHostName(text: string): string {
  const isName = /^[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/.test(text);
  if (isName && text.length <= 253) return text;
  throw new InvalidArgumentError("Use a name such as postroom.example, in lower case.");
}

function collect(text: string, known: Readonly<Record<string, string>>): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new CommandError(`--set takes NAME=value, not ${text}`, EXIT.usage);
  return { ...known, [text.slice(0, at)]: text.slice(at + 1) };
}

async function printManifests(options: ManifestOptions, output: Output): Promise<void> {
  const objects = objectsOf(toValues(options));
  if (options.json) for (const object of objects) output.json(object);
  else {
    const toYaml = await loadYaml();
    output.terminal.write(objects.map(toYaml).join("---\n"));
  }
}

function toValues(options: ManifestOptions): DeployValues {
  const { name, image, secret, host, workersMax } = options;
  const folder = options.settings === undefined ? {} : readDotEnv(options.settings);
  const settings = { ...(folder as Record<string, string>), ...options.set };
  assertFit(settings);
  return {
    ...DEFAULTS,
    name,
    image,
    settings,
    version: VERSION,
    secretName: secret,
    settingsHash: hashOf(settings),
    autoscaling: { ...DEFAULTS.autoscaling, workersMax },
    ingress: { ...DEFAULTS.ingress, isOn: host !== undefined, host: host ?? "" },
  };
}

function assertFit(settings: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(settings)) {
    const [bare] = name.split(/_FILE$/);
    if (isSecretSetting(bare!))
      throw new CommandError(
        `${name} is a secret: put it into the Kubernetes secret, not into a manifest`,
        EXIT.usage,
      );
    if (!isSetting(name) && !name.includes("__"))
      throw new CommandError(`there is no setting ${name}`, EXIT.usage);
  }
  if (!/^(?:gs|s3|azure):\/\//.test(settings["ARCHIVE_STORE"] ?? ""))
    throw new CommandError(
      "set ARCHIVE_STORE to gs://…, s3://… or azure://…: a pod loses its disk when it ends",
      EXIT.usage,
    );
}

/** As Helm's `toJson | sha256sum`: Go sorts the keys and escapes three characters. */
const hashOf = (settings: Readonly<Record<string, string>>): string =>
  sha256Hex(
    canonicalJson(settings).replaceAll(
      /[<>&]/g,
      (each) => `\\u00${each.charCodeAt(0).toString(16)}`,
    ),
  );

async function writeChart(folder: string, output: Output): Promise<void> {
  const files = chartFiles(await loadYaml());
  for (const [path, text] of Object.entries(files)) {
    await makeFolder(dirname(join(folder, path)));
    await writeFile(join(folder, path), text);
  }
  output.note(`wrote ${Object.keys(files).length} files to ${folder}`);
}

async function loadYaml(): Promise<(value: unknown) => string> {
  const { stringify } = await loadDriver("deploy", ["yaml"], () => import("yaml"));
  return (value) => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
