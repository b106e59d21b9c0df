/** What tests and scenarios do to the environment directly, without a token. */
import type { DataverseCall, DataverseWorld } from "./core/dataverse-call.ts";
import { readPreferences } from "./core/preferences.ts";
import type { Row, Value } from "./core/rows.ts";
import type { Right, Scope } from "./core/security.ts";
import { createRow, deleteRow, updateRow } from "./operations.ts";
import type { Table } from "./schema/schema.ts";

export interface WebhookRegistration {
  readonly url: string;
  readonly table: string;
  readonly message: "Create" | "Update" | "Delete";
  /** How the secret is sent: as `?code=`, as headers, or as query parameters. */
  readonly auth?:
    | { readonly type: "key"; readonly key: string }
    | { readonly type: "header" | "query"; readonly settings: Readonly<Record<string, string>> };
  readonly filteringAttributes?: readonly string[];
  readonly isSynchronous?: boolean;
  /** Alias under which the row after the change is included. */
  readonly postImage?: string;
}

export interface DataverseAdmin {
  /** Creates a row as the system would, including webhooks; `table` is a logical name. */
  create(table: string, body: Record<string, unknown>): Promise<Row>;
  update(table: string, id: string, body: Record<string, unknown>): Promise<void>;
  remove(table: string, id: string): Promise<void>;
  rows(table: string): readonly Row[];
  get(table: string, id: string): Row | null;
  registerWebhook(registration: WebhookRegistration): Promise<Row>;
  /** The systemuserid for a user's object id or an app's id. */
  userIdOf(objectOrAppId: string): string | null;
  /** `organization` (the default) reaches every row, `user` only own and shared ones. */
  setScope(objectOrAppId: string, scope: Scope): void;
  share(objectOrAppId: string, table: string, rowId: string, rights: readonly Right[]): void;
  unshare(objectOrAppId: string, table: string, rowId: string): void;
}

interface WebhookTables {
  rowsOf(table: string): readonly Row[];
  create: DataverseAdmin["create"];
}

/** The user for whom the environment itself acts. */
const SYSTEM = "SYSTEM";

/** The rows that an environment starts with. */
export function seedEnvironment(world: DataverseWorld): void {
  const { schema, rows } = world;
  const insert = (table: string, id: string, values: Record<string, Value>) =>
    rows.insert(schema.byName(table)!, id, values);
  insert("organization", rows.newId(), { name: "postroom" });
  insert("businessunit", rows.newId(), { name: "postroom" });
  addUser(world, { fullname: SYSTEM });
  addNewcomers(world);
  for (const name of ["Create", "Update", "Delete"]) {
    const message = insert("sdkmessage", rows.newId(), { name });
    for (const table of schema.tables) {
      insert("sdkmessagefilter", rows.newId(), {
        name: `${name} of ${table.name}`,
        primaryobjecttypecode: table.name,
        sdkmessageid: { table: "sdkmessage", id: message.id },
      });
    }
  }
}

function addUser({ schema, rows }: DataverseWorld, values: Record<string, Value>): void {
  const unit = rows.all(schema.byName("businessunit")!)[0]!;
  rows.insert(schema.byName("systemuser")!, rows.newId(), {
    isdisabled: false,
    businessunitid: { table: "businessunit", id: unit.id },
    ...values,
  });
}

/**
 * People and apps of the tenant become users of the environment once. A user who is removed from the
 * environment afterwards is not added again.
 */
export function addNewcomers(world: DataverseWorld): void {
  const { context, known } = world;
  for (const { id, displayName, mail, userPrincipalName } of context.users) {
    if (known.has(id)) continue;
    known.add(id);
    addUser(world, {
      fullname: displayName,
      azureactivedirectoryobjectid: id.toLowerCase(),
      internalemailaddress: mail,
      domainname: userPrincipalName,
    });
  }
  for (const { appId, displayName, servicePrincipalId, hasPrincipal } of context.apps) {
    // What is registered through Graph must be made a user of the environment by somebody.
    if (known.has(appId) || hasPrincipal !== undefined) continue;
    known.add(appId);
    addUser(world, {
      fullname: `# ${displayName}`,
      applicationid: appId.toLowerCase(),
      azureactivedirectoryobjectid: servicePrincipalId.toLowerCase(),
    });
  }
}

export function createDataverseAdmin(world: DataverseWorld): DataverseAdmin {
  const { schema, rows, security } = world;
  const system = () =>
    rows.all(schema.byName("systemuser")!).find(({ values }) => values["fullname"] === SYSTEM)!;
  const asSystem = (): DataverseCall => ({
    ...world,
    request: null as never, // the system acts without one
    version: "v9.2",
    user: system(),
    initiator: system(),
    preferences: readPreferences(undefined),
    detectsDuplicates: false,
    undo: [],
  });
  const tableOf = (name: string): Table => {
    const table = schema.byName(name);
    if (table === undefined) throw new Error(`there is no table '${name}'`);
    return table;
  };
  const rowsOf = (name: string) => rows.all(tableOf(name));
  const rowOf = (name: string, id: string): Row => {
    const row = rows.get(tableOf(name), id);
    if (row === null) throw new Error(`there is no row ${id} in '${name}'`);
    return row;
  };
  const findUser = (id: string) => {
    addNewcomers(world);
    return rowsOf("systemuser").find(
      ({ values }) =>
        values["azureactivedirectoryobjectid"] === id.toLowerCase() ||
        values["applicationid"] === id.toLowerCase(),
    );
  };
  const userOf = (id: string): string => {
    const user = findUser(id);
    if (user === undefined) throw new Error(`nobody in the environment has the id ${id}`);
    return user.id;
  };
  const create = (name: string, body: Record<string, unknown>) =>
    createRow(asSystem(), tableOf(name), body);

  return {
    create,
    update: (name, id, body) => updateRow(asSystem(), tableOf(name), rowOf(name, id), body),
    remove: (name, id) => deleteRow(asSystem(), tableOf(name), rowOf(name, id)),
    rows: rowsOf,
    get: (name, id) => rows.get(tableOf(name), id),
    registerWebhook: (registration) => registerWebhook({ rowsOf, create }, registration),
    userIdOf: (id) => findUser(id)?.id ?? null,
    setScope: (id, scope) => security.setScope(userOf(id), scope),
    share: (id, table, rowId, rights) => security.share(userOf(id), table, rowId, rights),
    unshare: (id, table, rowId) => security.unshare(userOf(id), table, rowId),
  };
}

/** A webhook is two or three rows: the endpoint, the step that calls it, and perhaps an image of the row. */
async function registerWebhook(
  { rowsOf, create }: WebhookTables,
  { table, message, url, auth, postImage, ...options }: WebhookRegistration,
): Promise<Row> {
  const named = (name: string) => (row: Row) => row.values["name"] === name;
  const event = `${message} of ${table}`;
  const messageId = rowsOf("sdkmessage").find(named(message))!.id;
  const filterId = rowsOf("sdkmessagefilter").find(named(event))!.id;
  const endpoint = await create("serviceendpoint", {
    name: `webhook of ${table}`,
    contract: 8,
    url,
    ...writeAuth(auth),
  });
  const step = await create("sdkmessageprocessingstep", {
    name: event,
    stage: 40,
    mode: options.isSynchronous ? 0 : 1,
    rank: 1,
    asyncautodelete: true,
    filteringattributes: options.filteringAttributes?.join(",") ?? null,
    "sdkmessageid@odata.bind": `/sdkmessages(${messageId})`,
    "sdkmessagefilterid@odata.bind": `/sdkmessagefilters(${filterId})`,
    "eventhandler_serviceendpoint@odata.bind": `/serviceendpoints(${endpoint.id})`,
  });
  if (postImage !== undefined) {
    await create("sdkmessageprocessingstepimage", {
      name: postImage,
      entityalias: postImage,
      imagetype: 1,
      "sdkmessageprocessingstepid@odata.bind": `/sdkmessageprocessingsteps(${step.id})`,
    });
  }
  return step;
}

function writeAuth(auth: WebhookRegistration["auth"]): Record<string, unknown> {
  if (auth === undefined) return { authtype: 4, authvalue: "" };
  if (auth.type === "key") return { authtype: 4, authvalue: auth.key };
  const settings = Object.entries(auth.settings)
    .map(([name, value]) => `<setting name="${name}" value="${value}" />`)
    .join("");
  return {
    authtype: auth.type === "header" ? 5 : 6,
    authvalue: `<settings>${settings}</settings>`,
  };
}
