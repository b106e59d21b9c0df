/** The verbs that talk to no server of ours, each with what it calls instead. `table.test.ts` has all others. */

/** A service that a call needs: its address is filled in by the test. */
export interface Service {
  /** The settings and words that name it. */
  readonly at: (port: number) => {
    readonly words?: string;
    readonly settings?: Readonly<Record<string, string>>;
  };
  /** What the message names, so that a person knows where to look. */
  readonly named: RegExp;
}

const database: Service = {
  at: (port) => ({ settings: { DATABASE_URL: `postgres://u:secret@127.0.0.1:${port}/x` } }),
  named: /database cannot be reached.* 127\.0\.0\.1:\d+ .*DATABASE_URL/,
};
const graph: Service = {
  at: (port) => ({ words: `--graph-url http://127.0.0.1:${port}` }),
  named: /Graph cannot be reached at http/,
};
const dataverse: Service = {
  at: (port) => ({ words: `--url http://127.0.0.1:${port}` }),
  named: /Dataverse cannot be reached at http/,
};
const entra: Service = {
  at: (port) => ({
    words: `--authority http://127.0.0.1:${port} --graph-url http://127.0.0.1:${port}`,
  }),
  named: /Entra cannot be reached/,
};
const serviceBus: Service = {
  at: (port) => ({
    settings: {
      ServiceBus__ConnectionString: `Endpoint=sb://127.0.0.1:${port};SharedAccessKeyName=a;SharedAccessKey=b;UseDevelopmentEmulator=true`,
    },
  }),
  named: /Service Bus cannot be reached; check ServiceBus__ConnectionString/,
};

const ID = "00000000-0000-4000-8000-000000000000";

export interface OwnVerb {
  readonly verb: string;
  /** A right call; `FILE`, `ROWS`, `REDIS` and `NEW` stand for files that the test makes, or does not make. */
  readonly call?: string;
  readonly calls?: Service;
  /** Why it has no call here. */
  readonly because?: string;
  /** False for a verb that prints no data, or prints text that a shell or a browser reads. */
  readonly hasJson?: false;
}

export const OWN: readonly OwnVerb[] = [
  { verb: "up", because: "it is a server: test/walks/up.test.ts", hasJson: false },
  { verb: "serve", because: "it is a server: test/walks/up.test.ts", hasJson: false },
  { verb: "notify test", because: "each channel has its own line: test/telemetry/alerts.test.ts" },
  { verb: "create-graph-subscription", because: "test/walks/seed-settings.test.ts" },
  { verb: "evidence verify", because: "src/cli/trades/evidence.test.ts" },
  {
    verb: "init",
    call: `init --dry-run --tenant-id ${ID} --client-id ${ID} --client-secret-file FILE --mailbox a@b.example`,
    calls: entra,
  },
  { verb: "connect app", call: "connect app --token-file FILE --dry-run", calls: graph },
  {
    verb: "connect dataverse",
    call: `connect dataverse --app-id ${ID} --token-file FILE --dry-run`,
    calls: dataverse,
  },
  {
    verb: "connect containers",
    call: `connect containers --dry-run --tenant-id ${ID} --app-id ${ID} --secret-file FILE --container-type ${ID}`,
    calls: entra,
  },
  { verb: "jobs create-queues", call: "jobs create-queues --dry-run", calls: serviceBus },
  { verb: "migrate", call: "migrate --dry-run", calls: database },
  { verb: "backup", call: "backup NEW", calls: database },
  { verb: "restore", call: "restore BACKUP --dry-run", calls: database },
  {
    verb: "import msedb-events",
    call: "import msedb-events ROWS --mailboxes ROWS",
    calls: database,
  },
  {
    verb: "import msedb-links",
    call: "import msedb-links REDIS --mailboxes ROWS",
    calls: database,
  },
  { verb: "import ingestion-table", call: "import ingestion-table ROWS", calls: database },
  { verb: "import spaarke-jobs", call: "import spaarke-jobs ROWS", calls: database },
  { verb: "import spaarke-documents", call: "import spaarke-documents ROWS", calls: database },
  { verb: "deploy manifests", call: "deploy manifests --set ARCHIVE_STORE=azure://notes" },
  { verb: "deploy chart", call: "deploy chart NEW", hasJson: false },
  { verb: "open", call: "open review --print", hasJson: false },
  { verb: "completion", call: "completion bash", hasJson: false },
];
