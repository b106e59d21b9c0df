import { Command } from "commander";
import { readGivenText } from "../base/given-file.ts";
import { createOutput, type Output, plain } from "../base/output.ts";
import { dataverseOf, graphOf, openAdminApi } from "./admin-api.ts";
import { type ConnectedApp, connectApp } from "./connect-app.ts";
import { connectDataverse } from "./connect-dataverse.ts";
import { addContainers } from "./containers.ts";
import { showSteps } from "./show-steps.ts";

interface AppOptions {
  readonly tokenFile: string;
  readonly name: string;
  readonly appId?: string;
  readonly secretFile: string;
  readonly allMailboxes?: boolean;
  readonly documents?: boolean;
  readonly graphUrl: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function connectCommand(output: Output = createOutput()): Command {
  const connect = new Command("connect").description(
    "prepare a tenant for Postroom, with an administrator's token",
  );
  connect
    .command("app")
    .description("register the app with least privilege, and print what to run in Exchange")
    .requiredOption("--token-file <file>", "file with an administrator's access token for Graph")
    .option("--name <name>", "display name of the app registration", "Postroom")
    .option("--app-id <id>", "continue with the app registration of an earlier run")
    .option("--secret-file <file>", "where to write the app's client secret", "graph-secret")
    .option("--all-mailboxes", "grant Mail.Read for every mailbox instead of a scope in Exchange")
    .option("--documents", "grant what SharePoint Embedded needs, for connect containers")
    .option("--graph-url <url>", "address of Graph", "https://graph.microsoft.com")
    .option("--dry-run", "show what would be done without doing it")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom connect app --token-file admin-token --dry-run")
    .action((options: AppOptions) => runConnectApp(options, output));
  connect
    .command("dataverse")
    .description("make the app a user of a Dataverse environment")
    .requiredOption("--token-file <file>", "file with an administrator's token for the environment")
    .requiredOption("--url <url>", "address of the environment")
    .requiredOption("--app-id <id>", "app ID")
    .option("--dry-run", "show what would be done without doing it")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExample:\n  postroom connect dataverse --url https://org.crm4.dynamics.com --app-id 6f0c… --token-file admin-token --dry-run",
    )
    .action((options: DataverseOptions) => runConnectDataverse(options, output));
  addContainers(connect, output);
  return connect;
}

interface DataverseOptions {
  readonly tokenFile: string;
  readonly url: string;
  readonly appId: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

async function runConnectDataverse(options: DataverseOptions, output: Output): Promise<void> {
  const token = (await readGivenText(options.tokenFile)).trim();
  const isDryRun = options.dryRun === true;
  const dataverse = openAdminApi(dataverseOf(options.url), token);
  try {
    const user = await connectDataverse(dataverse, { appId: options.appId, isDryRun });
    if (options.json) {
      output.json({ dryRun: isDryRun, ...user });
      return;
    }
    showSteps(user.steps, output);
    output.note("Give the user a security role of its own; it can do nothing without one.");
  } finally {
    await dataverse.close();
  }
}

const FOR_CONTAINERS = ["FileStorageContainer.Selected", "FileStorageContainerTypeReg.Selected"];

async function runConnectApp(options: AppOptions, output: Output): Promise<void> {
  const token = (await readGivenText(options.tokenFile)).trim();
  const graph = openAdminApi(graphOf(options.graphUrl), token);
  try {
    const app = await connectApp(graph, {
      name: options.name,
      appId: options.appId ?? null,
      permissions: [
        "User.Read.All",
        ...(options.allMailboxes ? ["Mail.Read"] : []),
        ...(options.documents ? FOR_CONTAINERS : []),
      ],
      secretFile: options.secretFile,
      isDryRun: options.dryRun === true,
    });
    const exchange = options.allMailboxes ? [] : exchangeSteps(app, options.name);
    if (options.json) {
      output.json({ dryRun: options.dryRun === true, ...app, exchange });
      return;
    }
    showSteps(app.steps, output);
    if (app.appId !== null)
      output.note(
        `Then: postroom init --client-id ${app.appId} --client-secret-file ${options.secretFile}`,
      );
    if (exchange.length > 0) output.note("An Exchange administrator then runs, for one group:");
    for (const line of exchange) output.line(plain(line));
  } finally {
    await graph.close();
  }
}

/** Exchange has no REST API for this; the scope's group holds the mailboxes that the app may read. */
function exchangeSteps({ appId, principalId }: ConnectedApp, name: string): string[] {
  const quotedName = `'${name.replaceAll("'", "''")}'`;
  const id = principalId ?? "<object id of the service principal>";
  return [
    `New-ServicePrincipal -AppId ${appId ?? "<app id>"} -ObjectId ${id} -DisplayName ${quotedName}`,
    `New-ManagementScope -Name ${quotedName} -RecipientRestrictionFilter "MemberOfGroup -eq '<distinguished name of the group>'"`,
    `New-ManagementRoleAssignment -App ${id} -Role 'Application Mail.Read' -CustomResourceScope ${quotedName}`,
  ];
}
