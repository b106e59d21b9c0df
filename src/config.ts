import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { type AnswerSettings, readAnswers } from "./config/answers.ts";
import { type GraphConnection, isConnectionSecret, readConnections } from "./config/connections.ts";
import { type DocumentSettings, readDocuments } from "./config/documents.ts";
import { readDotEnv, underOurNames, withSettingsFile } from "./config/gather-settings.ts";
import { NOTIFY, type NotifySettings, readNotify } from "./config/notify.ts";
import { networks, PROOF_LENGTH_MIN, safeUrl, secretText } from "./config/safe-values.ts";
import { SECRETS } from "./config/secret-files.ts";
import { readTelemetry, TELEMETRY, type TelemetrySettings } from "./config/telemetry.ts";
import { isVaultReference, readVaultReferences } from "./config/vault-references.ts";
import { describeSystemError } from "./lib/describe-system-error.ts";
import { Fault } from "./lib/fault.ts";
import { sayIssuesPlainly } from "./lib/issue-words.ts";
import { Secret } from "./lib/redact.ts";
import { isPublicDomain } from "./trades/senders/public-domains.ts";
import { domainOf } from "./trades/senders/sender.ts";

sayIssuesPlainly();

/**
 * Every setting. If any are invalid, one message names them all and nothing starts. A double
 * underscore stands for nesting, as in the systems that Postroom replaces. A secret may be a reference:
 * `file:/path` or `env:NAME`; any setting may be stored in Azure Key Vault.
 */
const port = z.coerce.number().int().min(0).max(65_535);
const onOff = z
  .enum(["true", "false", "1", "0"])
  .transform((value) => value === "true" || value === "1");

const plainName = z
  .string()
  .regex(/^[a-z_][a-z0-9_]{0,62}$/, "must consist of lower-case letters, digits and underscores");

const Settings = z.object({
  PORT: port.default(8010),
  POSTROOM_HOST: z.string().default("127.0.0.1"),
  POSTROOM_TRUST_PROXY: networks.default([]),
  POSTROOM_HOME: z.string().min(1).default(".postroom"),
  DATABASE_URL: z.string().startsWith("postgres", "must be a postgres:// URL").optional(),
  POSTROOM_SEAL_KEY: secretText(32).optional(),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),

  GRAPH_TENANT_ID: z.string().min(1).optional(),
  GRAPH_CLIENT_ID: z.string().min(1).optional(),
  GRAPH_CLIENT_SECRET: secretText().optional(),
  GRAPH_MAILBOX_EMAIL: z.email().optional(),
  GRAPH_MAILBOX_FOLDER: z.string().min(1).default("Inbox"),
  GRAPH_CLIENT_STATE: secretText(
    PROOF_LENGTH_MIN,
    z.string().max(128, "must have at most 128 characters, the limit of Graph"),
  ).optional(),
  GRAPH_WEBHOOK_URL: safeUrl.optional(),
  GRAPH_WEBHOOK_CHECK: onOff.default(true),
  GRAPH_WEBHOOK_GATE: onOff.default(false),
  GRAPH_RICH_NOTIFICATIONS: onOff.default(false),
  GRAPH_BASE_URL: safeUrl.default("https://graph.microsoft.com"),
  GRAPH_AUTHORITY: safeUrl.default("https://login.microsoftonline.com"),

  TENANT_ID: z.string().min(1).optional(),
  API_APP_ID: z.string().min(1).optional(),
  API_CLIENT_SECRET: secretText().optional(),
  CONSOLE_APP_ID: z.string().min(1).optional(),
  Dataverse__ServiceUrl: safeUrl.optional(),
  EmailProcessing__DefaultContainerId: z
    .string()
    .startsWith("b!", "must be a drive ID, which begins with b!, not the GUID of the container")
    .optional(),
  EmailProcessing__EnableWebhook: onOff.default(true),
  EmailProcessing__WebhookSecret: secretText(PROOF_LENGTH_MIN).optional(),
  EmailProcessing__DefaultAction: z
    .enum(["AutoSave", "Ignore", "ReviewRequired"])
    .default("AutoSave"),
  EmailProcessing__EnablePolling: onOff.default(true),
  EmailProcessing__PollingIntervalMinutes: z.coerce.number().int().min(1).max(1_440).default(5),
  EmailProcessing__PollingLookbackHours: z.coerce.number().positive().max(168).default(24),
  EmailProcessing__PollingBatchSize: z.coerce.number().int().min(1).max(5_000).default(100),
  EmailProcessing__MaxAttachmentSizeMB: z.coerce.number().positive().max(150).default(25),
  EmailProcessing__MaxTotalSizeMB: z.coerce.number().positive().max(150).default(100),
  Documents__UploadHosts: z.string().min(1).default(".sharepoint.com"),
  Documents__PreviewAction: onOff.default(false),
  Documents__Search: onOff.default(true),
  Documents__Profiles: onOff.default(false),
  Analysis__Enabled: onOff.default(true),
  Analysis__MultiDocumentEnabled: onOff.default(false),
  Rag__ApiKey: secretText(PROOF_LENGTH_MIN).optional(),
  Search__Endpoint: safeUrl.optional(),
  Search__ApiKey: z.string().min(1, "must not be empty").optional(),
  Search__IndexName: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,126}[a-z0-9]$/,
      "must consist of lower-case letters, digits and hyphens",
    )
    .default("postroom"),
  Redis__ConnectionString: z.string().min(1, "must not be empty").optional(),
  ServiceBus__ConnectionString: z.string().min(1, "must not be empty").optional(),
  ServiceBus__QueueName: z.string().min(1).default("sdap-jobs"),
  JOB_ENGINE: z.enum(["postgres", "redis", "service-bus"]).optional(),
  SCHEDULE_TIME_ZONE: z
    .string()
    .refine(isTimeZone, "must be a zone like Europe/London")
    .default("UTC"),
  POSTROOM_CONFIG: z.string().min(1).optional(),
  POSTROOM_SECRETS: z.string().min(1).optional(),
  METRICS_KEY: secretText(PROOF_LENGTH_MIN).optional(),
  KeyVault__Hosts: z
    .string()
    .regex(
      /^\.[a-z\d.-]+(?:\s*,\s*\.[a-z\d.-]+)*$/,
      "must be host name suffixes, such as .vault.azure.net",
    )
    .optional(),
  ServiceBus__UploadFinalizationQueue: z.string().default("office-upload-finalization"),
  ServiceBus__ProfileQueue: z.string().default("office-profile"),
  ServiceBus__IndexingQueue: z.string().default("office-indexing"),

  ARCHIVE_STORE: z.string().default("disk"),
  ARCHIVE_CONNECTION_STRING: z.string().min(1, "must not be empty").optional(),
  FIRM_DOMAINS: z
    .string()
    .default("")
    .superRefine((text, context) => {
      for (const domain of toNames(text).filter((name) => isPublicDomain(domainOf(name))))
        context.addIssue({ code: "custom", message: `anybody can get an address at ${domain}` });
    }),
  INGEST_WATCH_FOLDER: z.string().min(1).optional(),
  INGEST_WATCH_STORE: z.string().min(1).optional(),
  INGEST_WATCH_PREFIX: z.string().default(""),
  INGEST_STATE_SCHEMA: plainName.default("bo_airflow"),
  INGEST_ATTACHMENTS_COLUMN: plainName.default("attachments_processed"),
  INGEST_PATHS_COLUMN: plainName.default("archive_gcs_paths"),
  INGEST_APP_NAME: z
    .string()
    .regex(/^[\w.-]{1,100}$/, "must consist of letters, digits, dots, hyphens and underscores")
    .default("pad_contract_notes"),
  INGEST_ID_CHECK: onOff.default(true),
  INGEST_RETENTION_DAYS: z.coerce.number().int().min(1).default(90),
  EVENT_RETENTION_DAYS: z.coerce.number().int().min(1).default(90),
  MASK_MAIL: onOff.default(false),
  SUBSCRIPTION_MINUTES: z.coerce
    .number()
    .int()
    .min(45)
    .max(10_080, "Graph allows at most 10,080 minutes for mail")
    .default(4_230),
  DELTA_MINUTES: z.coerce.number().positive().default(15),
  LEASE_SECONDS: z.coerce.number().min(2).max(600).default(60),
  JOB_CONCURRENCY: z.coerce.number().int().min(1).optional(),
  MODEL_BASE_URL: safeUrl.optional(),
  MODEL_API_KEY: z.string().min(1, "must not be empty").optional(),
  MODEL_NAME: z.string().optional(),
  MODEL_AZURE: onOff.default(false),
  MODEL_API_VERSION: z.string().min(1).optional(),
  MODEL_TIMEOUT_SECONDS: z.coerce.number().positive().max(300).default(30),
  MODEL_TOKENS_PER_DAY: z.coerce.number().int().min(0).default(500_000),
  EMBEDDING_MODEL: z.string().min(1).optional(),
  SINK_PRIVATE_HOSTS: z.string().default(""),
  ...TELEMETRY,
  ...NOTIFY,
  POSTROOM_KILL_AT: z.string().optional(),
});

export type { GraphConnection } from "./config/connections.ts";
export type { DocumentSettings } from "./config/documents.ts";

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Proxies that we trust to report a caller's address. */
  readonly trustedProxies: readonly string[];
  readonly home: string;
  readonly databaseUrl: string | null;
  /** Encrypts what is stored of other people's secrets; null for a key of our own in the home folder. */
  readonly sealKey: Secret | null;
  readonly logLevel: z.infer<typeof Settings>["LOG_LEVEL"];
  /** Null if no tenant is configured. */
  readonly graph: GraphConnection | null;
  /** Every tenant by name; `graph` is the one called `default`. */
  readonly connections: Readonly<Record<string, GraphConnection>>;
  readonly mailboxEmail: string | null;
  readonly mailboxFolder: string;
  readonly sharedClientState: Secret | null;
  /** Null if there is no public address: mailboxes are then read by delta only. */
  readonly webhookUrl: string | null;
  /** False if this machine cannot reach its own public address although Graph can. */
  readonly checksWebhook: boolean;
  /** Whether a handshake is answered only while we are requesting a subscription from Graph. */
  readonly gatesWebhook: boolean;
  /** Whether notifications carry the messages' properties, encrypted for us. */
  readonly isRich: boolean;
  readonly subscriptionMinutes: number;
  readonly deltaMinutes: number;
  /** The zone in which daily schedules have their times. */
  readonly scheduleTimeZone: string;
  readonly leaseSeconds: number;
  /** Maximum number of jobs of one type that run at once in this process; null lets each type decide. */
  readonly jobConcurrency: number | null;
  readonly eventRetentionDays: number;
  /** Hide subjects and senders of mail from everybody but the owner of its mailbox. */
  readonly masksMail: boolean;
  readonly redisUrl: Secret | null;
  readonly serviceBus: Secret | null;
  /** What carries jobs; Redis beside another engine is only a cache and a mirror. */
  readonly jobEngine: "postgres" | "redis" | "service-bus";
  /** Where people sign in. */
  readonly authorityOrigin: string;
  /** The names of our queues in the Service Bus namespace. */
  readonly serviceBusQueues: Readonly<Record<string, string>>;
  readonly archiveStore: string;
  /** For stores that need a secret. */
  readonly archiveSecret: Secret | null;
  /** Mail from these domains comes from our own people. */
  readonly firmDomains: readonly string[];
  /** Folder whose PDFs are ingested like attachments, if any. */
  readonly watchFolder: string | null;
  /** Bucket whose PDFs are ingested too, in the notation of `archiveStore`; and the prefix of their paths. */
  readonly watchStore: string | null;
  readonly watchPrefix: string;
  /** Names of the shared table and its columns. */
  readonly ingest: {
    readonly schema: string;
    readonly appName: string;
    readonly attachmentsColumn: string;
    readonly archivePathsColumn: string;
  };
  /** False if the other program is retired, so that its rows no longer matter. */
  readonly checksIds: boolean;
  readonly ingestRetentionDays: number;
  readonly api: {
    readonly tenantId: string;
    readonly appId: string;
    readonly clientSecret: Secret;
  } | null;
  /** The registration of the console's page; null if the API's own serves both. */
  readonly consoleAppId: string | null;
  /** Opens `/metrics` and nothing else. */
  readonly metricsKey: Secret | null;
  /** Mail and uploads as documents; null if Dataverse or the container is not set. */
  readonly documents: DocumentSettings | null;
  /** The model that serves as second reader of contract notes, if any. */
  readonly model: {
    readonly baseUrl: string;
    readonly apiKey: Secret;
    readonly name: string;
    readonly isAzure: boolean;
    /** API version for Azure; null for the default. */
    readonly apiVersion: string | null;
    readonly timeoutMs: number;
  } | null;
  readonly answers: AnswerSettings;
  /** Who hears of alerts and questions; null if no channel is set up. */
  readonly notify: NotifySettings | null;
  /** Where traces and metrics are sent; null if nowhere. */
  readonly telemetry: TelemetrySettings | null;
  /** Names on a private network that sinks may call. */
  readonly sinkPrivateHosts: readonly string[];
  readonly killAt: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const isSetting = (name: string): boolean => name in Settings.shape;

/** For a process that uses the settings: it also reads those that are stored in Azure Key Vault. */
export async function loadConfigAndVault(environment: Environment): Promise<Config> {
  const { values } = withSettingsFile(environment, isSetting);
  const vault = await readVaultReferences(values, isSetting);
  return loadConfig({ ...environment, ...vault.values }, vault.problems);
}

/** For a command that only talks to a running server: where it is. */
export function loadPlace(environment: Environment): Pick<Config, "home" | "port"> {
  const gathered = withSettingsFile(environment, isSetting);
  const parsed = Settings.pick({ PORT: true, POSTROOM_HOME: true }).safeParse(gathered.values);
  if (!parsed.success) throw invalid(parsed.error.issues.map(describeIssue));
  return { home: resolve(parsed.data.POSTROOM_HOME), port: parsed.data.PORT };
}

export function loadConfig(
  environment: Environment,
  unread: Readonly<Record<string, string>> = {},
): Config {
  const gathered = withSettingsFile(environment, isSetting);
  const referred = resolveReferences(gathered.values, unread);
  const resolved = underOurNames(referred.values);
  const parsed = Settings.safeParse(resolved.values);
  const problems = [
    ...gathered.problems,
    ...referred.problems,
    ...resolved.problems,
    ...(parsed.error?.issues.map(describeIssue) ?? []),
    ...missingTogether(resolved.values),
    ...missingForDocuments(resolved.values),
    ...missingForEmbedding(resolved.values),
    ...missingForEngine(resolved.values),
  ];
  const further = readConnections(resolved.values, {
    graphOrigin: parsed.data?.GRAPH_BASE_URL ?? "https://graph.microsoft.com",
    authorityOrigin: parsed.data?.GRAPH_AUTHORITY ?? "https://login.microsoftonline.com",
  });
  problems.push(...further.problems);
  if (!parsed.success || problems.length > 0) throw invalid(problems);
  return toConfig(parsed.data, further.connections);
}

const invalid = (problems: readonly string[]): Fault =>
  new Fault(
    "settings.bad",
    `these settings are invalid:\n${problems.map((line) => `  ${line}`).join("\n")}`,
  );

/** The environment of this process and `.env` in its folder; nothing else reads them. */
export const processEnvironment = (): Environment => ({
  ...readDotEnv(process.cwd()),
  ...process.env,
});

function toConfig(
  settings: z.infer<typeof Settings>,
  further: Readonly<Record<string, GraphConnection>>,
): Config {
  const secret = (value: string | undefined) => (value === undefined ? null : new Secret(value));
  const graph =
    settings.GRAPH_TENANT_ID === undefined
      ? null
      : {
          tenantId: settings.GRAPH_TENANT_ID,
          clientId: settings.GRAPH_CLIENT_ID!,
          clientSecret: new Secret(settings.GRAPH_CLIENT_SECRET!),
          graphOrigin: new URL(settings.GRAPH_BASE_URL).origin,
          authorityOrigin: new URL(settings.GRAPH_AUTHORITY).origin,
        };
  return Object.freeze({
    port: settings.PORT,
    host: settings.POSTROOM_HOST,
    trustedProxies: settings.POSTROOM_TRUST_PROXY,
    home: resolve(settings.POSTROOM_HOME),
    databaseUrl: settings.DATABASE_URL ?? null,
    sealKey: secret(settings.POSTROOM_SEAL_KEY),
    logLevel: settings.LOG_LEVEL,
    graph,
    connections: graph === null ? further : { default: graph, ...further },
    mailboxEmail: settings.GRAPH_MAILBOX_EMAIL ?? null,
    mailboxFolder: settings.GRAPH_MAILBOX_FOLDER,
    sharedClientState: secret(settings.GRAPH_CLIENT_STATE),
    webhookUrl: settings.GRAPH_WEBHOOK_URL?.replace(/\/$/, "") ?? null,
    checksWebhook: settings.GRAPH_WEBHOOK_CHECK,
    gatesWebhook: settings.GRAPH_WEBHOOK_GATE,
    isRich: settings.GRAPH_RICH_NOTIFICATIONS,
    subscriptionMinutes: settings.SUBSCRIPTION_MINUTES,
    deltaMinutes: settings.DELTA_MINUTES,
    scheduleTimeZone: settings.SCHEDULE_TIME_ZONE,
    leaseSeconds: settings.LEASE_SECONDS,
    jobConcurrency: settings.JOB_CONCURRENCY ?? null,
    eventRetentionDays: settings.EVENT_RETENTION_DAYS,
    masksMail: settings.MASK_MAIL,
    redisUrl: secret(settings.Redis__ConnectionString),
    serviceBus: secret(settings.ServiceBus__ConnectionString),
    jobEngine: settings.JOB_ENGINE ?? usualEngine(settings),
    authorityOrigin: new URL(settings.GRAPH_AUTHORITY).origin,
    serviceBusQueues: {
      jobs: settings.ServiceBus__QueueName,
      "office-upload-finalization": settings.ServiceBus__UploadFinalizationQueue,
      "office-profile": settings.ServiceBus__ProfileQueue,
      "office-indexing": settings.ServiceBus__IndexingQueue,
    },
    archiveStore: settings.ARCHIVE_STORE,
    archiveSecret: secret(settings.ARCHIVE_CONNECTION_STRING),
    firmDomains: toNames(settings.FIRM_DOMAINS),
    sinkPrivateHosts: toNames(settings.SINK_PRIVATE_HOSTS),
    watchFolder: settings.INGEST_WATCH_FOLDER ?? null,
    watchStore: settings.INGEST_WATCH_STORE ?? null,
    watchPrefix: settings.INGEST_WATCH_PREFIX,
    ingest: {
      schema: settings.INGEST_STATE_SCHEMA,
      appName: settings.INGEST_APP_NAME,
      attachmentsColumn: settings.INGEST_ATTACHMENTS_COLUMN,
      archivePathsColumn: settings.INGEST_PATHS_COLUMN,
    },
    checksIds: settings.INGEST_ID_CHECK,
    ingestRetentionDays: settings.INGEST_RETENTION_DAYS,
    consoleAppId: settings.CONSOLE_APP_ID ?? null,
    metricsKey: secret(settings.METRICS_KEY),
    api:
      settings.API_APP_ID === undefined
        ? null
        : {
            tenantId: settings.TENANT_ID!,
            appId: settings.API_APP_ID,
            clientSecret: new Secret(settings.API_CLIENT_SECRET!),
          },
    documents: readDocuments(settings),
    model:
      settings.MODEL_BASE_URL === undefined
        ? null
        : {
            baseUrl: settings.MODEL_BASE_URL,
            apiKey: new Secret(settings.MODEL_API_KEY!),
            name: settings.MODEL_NAME!,
            isAzure: settings.MODEL_AZURE,
            apiVersion: settings.MODEL_API_VERSION ?? null,
            timeoutMs: settings.MODEL_TIMEOUT_SECONDS * 1_000,
          },
    answers: readAnswers(settings),
    telemetry: readTelemetry(settings),
    notify: readNotify(settings),
    killAt: settings.POSTROOM_KILL_AT ?? null,
  });
}

const toNames = (list: string): string[] =>
  list
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");

/** Settings that only make sense together; an incomplete group is reported at startup. */
const TOGETHER: readonly (readonly (keyof z.infer<typeof Settings>)[])[] = [
  ["GRAPH_TENANT_ID", "GRAPH_CLIENT_ID", "GRAPH_CLIENT_SECRET"],
  ["API_APP_ID", "API_CLIENT_SECRET", "TENANT_ID"],
  ["MODEL_BASE_URL", "MODEL_API_KEY", "MODEL_NAME"],
  ["Search__Endpoint", "Search__ApiKey"],
  ["NOTIFY_MAIL_TO", "NOTIFY_MAIL_FROM"],
];

/** Documents need Dataverse, a container and the app registration of the API. */
const DOCUMENTS = ["Dataverse__ServiceUrl", "EmailProcessing__DefaultContainerId"] as const;
const OF_THE_APP = ["TENANT_ID", "API_APP_ID", "API_CLIENT_SECRET"] as const;

/** Service Bus is never anything but an engine; Redis is one only if there is no other. */
function usualEngine(settings: z.infer<typeof Settings>): Config["jobEngine"] {
  if (settings.ServiceBus__ConnectionString !== undefined) return "service-bus";
  return settings.Redis__ConnectionString === undefined ? "postgres" : "redis";
}

function missingForDocuments(settings: Readonly<Record<string, string | undefined>>): string[] {
  const isWanted = Object.keys(settings).some(
    (name) => settings[name] !== undefined && /^(?:Dataverse|EmailProcessing)__/.test(name),
  );
  if (!isWanted) return [];
  return [...DOCUMENTS, ...OF_THE_APP]
    .filter((name) => settings[name] === undefined)
    .map((name) => `${name}: missing; required for documents`);
}

/** A model by its name is at the same endpoint as the one that writes. */
function missingForEmbedding(settings: Readonly<Record<string, string | undefined>>): string[] {
  const name = settings["EMBEDDING_MODEL"];
  if (name === undefined || name === "embedded" || settings["MODEL_BASE_URL"] !== undefined)
    return [];
  return ["EMBEDDING_MODEL: must be `embedded` unless MODEL_BASE_URL is set"];
}

/** The engine is chosen by name, so a connection string may also serve only as a cache. */
function missingForEngine(settings: Readonly<Record<string, string | undefined>>): string[] {
  const engine = settings["JOB_ENGINE"];
  const needed = {
    redis: "Redis__ConnectionString",
    "service-bus": "ServiceBus__ConnectionString",
  };
  const name = needed[engine as keyof typeof needed];
  return name === undefined || settings[name] !== undefined
    ? []
    : [`${name}: missing; required by JOB_ENGINE=${engine}`];
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }) !== null;
  } catch {
    return false; // not in the database of zones
  }
}

function missingTogether(settings: Readonly<Record<string, string | undefined>>): string[] {
  return TOGETHER.filter((group) => group.some((name) => settings[name] !== undefined)).flatMap(
    (group) =>
      group
        .filter((name) => settings[name] === undefined)
        .map(
          (name) =>
            `${name}: missing; required together with ${group.filter((other) => other !== name).join(", ")}`,
        ),
  );
}

function describeIssue(issue: z.core.$ZodIssue): string {
  return `${issue.path.join("__")}: ${issue.message}`;
}

function resolveReferences(
  environment: Environment,
  unread: Readonly<Record<string, string>>,
): { values: Record<string, string | undefined>; problems: string[] } {
  const values: Record<string, string | undefined> = { ...environment };
  const problems: string[] = [];
  const others = Object.keys(values).filter(
    (name) =>
      isConnectionSecret(name) ||
      name in unread ||
      (isSetting(name) && isVaultReference(values[name])),
  );
  for (const name of new Set([...SECRETS, ...others])) {
    const value = values[name];
    if (value === undefined) continue;
    try {
      values[name] = resolveReference(value, environment, unread[name]);
    } catch (error) {
      delete values[name];
      problems.push(`${name}: ${describeSystemError(error as Error)}`);
    }
  }
  return { values, problems };
}

function resolveReference(
  value: string,
  environment: Environment,
  whyUnread = "is a Key Vault reference that nothing has read yet",
): string {
  if (value.startsWith("file:")) return readFileSync(value.slice("file:".length), "utf8").trim();
  if (value.startsWith("env:")) {
    const target = environment[value.slice("env:".length)];
    if (target === undefined)
      throw new Error(`refers to ${value.slice("env:".length)}, which is not set`);
    return target;
  }
  if (isVaultReference(value)) throw new Error(whyUnread);
  return value;
}
