import { type Command, Option } from "commander";
import { whyUnsafeUrl } from "../../config/safe-values.ts";
import { Secret } from "../../lib/redact.ts";
import { createAppTokens } from "../../microsoft/identity/app-token.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { readGivenText } from "../base/given-file.ts";
import { type Output, plain } from "../base/output.ts";
import { containersOf, openAdminApi, typesOf } from "./admin-api.ts";
import { connectContainers, connectType } from "./connect-containers.ts";
import { showSteps } from "./show-steps.ts";

interface Options {
  readonly tenantId: string;
  readonly appId: string;
  readonly secretFile: string;
  readonly containerType?: string;
  readonly tokenFile?: string;
  readonly name: string;
  readonly member: readonly string[];
  readonly graphUrl: string;
  readonly authority: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addContainers(connect: Command, output: Output): void {
  connect
    .command("containers")
    .description("register the container type, create a container, and grant the app what it needs")
    .requiredOption("--tenant-id <id>", "tenant ID")
    .requiredOption("--app-id <id>", "app ID; the app must own the container type")
    .option("--secret-file <file>", "file with the app's client secret", "graph-secret")
    .option(
      "--container-type <id>",
      "ID of the container type; if omitted, one is created with --token-file",
    )
    .option("--token-file <file>", "file with a token of an administrator of SharePoint Embedded")
    .option("--name <name>", "display name of the container", "Postroom")
    .addOption(
      new Option("--member <address>", "address of a person who may write to it (repeatable)")
        .argParser(collect)
        .default([], "nobody"),
    )
    .option("--graph-url <url>", "address of Graph", "https://graph.microsoft.com")
    .option("--authority <url>", "address of Entra", "https://login.microsoftonline.com")
    .option("--dry-run", "show what would be done without doing it")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExample:\n  postroom connect containers --tenant-id 0b1c… --app-id 6f0c… --container-type 9d2e… --dry-run",
    )
    .action((options: Options) => run(options, output));
}

const collect = (value: string, all: readonly string[]): string[] => [...all, value];

async function run(options: Options, output: Output): Promise<void> {
  const { appId, name, dryRun: isDryRun = false } = options;
  const type = await findType(options);
  if (type.typeId === null) {
    showResult({ driveId: null, typeId: null, steps: [type.step!] }, options, output);
    return;
  }
  const graph = openAdminApi(containersOf(options.graphUrl), await ownToken(options));
  try {
    const connected = await connectContainers(graph, {
      typeId: type.typeId,
      appId,
      container: name,
      members: options.member,
      isDryRun,
    });
    const steps = [...(type.step === null ? [] : [type.step]), ...connected.steps];
    showResult({ driveId: connected.driveId, typeId: type.typeId, steps }, options, output);
  } finally {
    await graph.close();
  }
}

async function findType(options: Options): Promise<{
  readonly typeId: string | null;
  readonly step: Awaited<ReturnType<typeof connectType>>["step"] | null;
}> {
  const { containerType, tokenFile, name, appId, dryRun: isDryRun = false } = options;
  if (containerType !== undefined) return { typeId: containerType, step: null };
  if (tokenFile === undefined)
    throw new CommandError("use --container-type, or --token-file to create one", EXIT.usage);
  const token = (await readGivenText(tokenFile)).trim();
  const admin = openAdminApi(typesOf(options.graphUrl), token);
  try {
    return await connectType(admin, { name, appId, isDryRun });
  } finally {
    await admin.close();
  }
}

async function ownToken({ tenantId, appId, secretFile, authority }: Options): Promise<string> {
  const problem = whyUnsafeUrl(authority);
  if (problem !== null) throw new CommandError(`--authority ${problem}`, EXIT.usage);
  const clientSecret = new Secret((await readGivenText(secretFile)).trim());
  const identity = { tenantId, clientId: appId, clientSecret, authorityOrigin: authority };
  return createAppTokens(identity, "https://graph.microsoft.com")();
}

function showResult(
  made: {
    readonly driveId: string | null;
    readonly typeId: string | null;
    readonly steps: readonly { readonly step: string; readonly result: string }[];
  },
  { json, dryRun = false }: Options,
  output: Output,
): void {
  if (json) {
    output.json({ dryRun, ...made });
    return;
  }
  showSteps(made.steps, output);
  if (made.driveId === null) return;
  output.line(`EmailProcessing__DefaultContainerId=${plain(made.driveId)}`);
  output.note(
    "Remove FileStorageContainerTypeReg.Selected from the app, which no longer needs it.",
  );
}
