import { beforeAll, describe, expect, it } from "vitest";
import { createDirectoryReader, readDirectory } from "../../src/flows/ingestion/read-directory.ts";
import { createManualClock, systemClock } from "../../src/lib/clock.ts";
import { Fault } from "../../src/lib/fault.ts";
import { createHttp } from "../../src/lib/http.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { createGraphClient, type GraphClient } from "../../src/microsoft/graph/graph-client.ts";
import { createMailboxLimiter } from "../../src/microsoft/graph/mailbox-limiter.ts";
import type { Database } from "../../src/store/database.ts";
import { findKnownPeople, replacePeople } from "../../src/trades/senders/person-table.ts";
import type { Tenant } from "../../tenant/index.ts";
import { aLog, aTenant } from "../helpers/app.ts";
import { freshDatabase } from "../helpers/database.ts";

let tenant: Tenant;
let database: Database;
let graph: GraphClient;
const { log } = aLog();

beforeAll(async () => {
  tenant = await aTenant();
  database = await freshDatabase();
  graph = createGraphClient({
    http: createHttp({ allowedOrigins: [tenant.origin], unavailable: "graph.unavailable" }),
    ...{ origin: tenant.origin, token: async () => tenant.tokenFor({}) },
    ...{ limiter: createMailboxLimiter(systemClock), clock: systemClock, random: systemRandom },
  });
});

const known = async (source: string) =>
  (await findKnownPeople(database)).filter((person) => person.source === source);
const emails = async (source: string) => (await known(source)).map(({ email }) => email);

/** The directory in pages of three, with other people in it: the tenant has members only. */
type Users = readonly { mail: string | null }[];
const changed = (change: (users: Users) => Users): GraphClient => ({
  ...graph,
  async call<T>(request: Parameters<GraphClient["call"]>[0]) {
    const path = request.path.replace("$top=999", "$top=3");
    const page = await graph.call<{ value: Users }>({ ...request, path });
    return { ...page, value: change(page.value) } as T;
  },
});
const refusing: GraphClient = {
  ...({} as GraphClient),
  call: () => Promise.reject(new Fault("graph.denied", "403")),
};

describe("the tenant's directory", () => {
  it("returns all enabled members with an address, page by page, and no guests", async () => {
    const wrong = [{ userType: "Guest" }, { accountEnabled: false }, { mail: null }];
    let pages = 0;
    const answers = changed((users) => {
      pages += 1;
      return pages === 2 ? users.map((user, index) => ({ ...user, ...wrong[index] })) : users;
    });
    const count = await readDirectory({ database, log, directories: [answers] });
    const left = [...tenant.users.slice(0, 3), ...tenant.users.slice(6)].map(({ mail }) => mail);
    expect(pages).toBeGreaterThan(2);
    expect(count).toBe(left.length);
    expect((await emails("directory")).sort()).toEqual(left.sort());
  });

  it("forgets who left, and keeps people of other sources", async () => {
    const person = { email: "me@home.example", name: "Me", username: "me", accounts: [] };
    await database.transaction((tx) => replacePeople(tx, "import", [person]));
    await readDirectory({ database, log, directories: [graph] });
    const [gone, ...stay] = (await emails("directory")).sort();
    const without = changed((users) => users.filter(({ mail }) => mail !== gone));
    await readDirectory({ database, log, directories: [without] });
    expect((await emails("directory")).sort()).toEqual(stay);
    expect(await emails("import")).toEqual(["me@home.example"]);
  });

  it("that may not be read leaves what is known, and one that fails half-way does too", async () => {
    const before = await known("directory");
    expect(await readDirectory({ database, log, directories: [refusing] })).toBeNull();
    const failing: GraphClient = {
      ...graph,
      call: () => Promise.reject(new Fault("graph.unavailable", "503")),
    };
    await expect(readDirectory({ database, log, directories: [graph, failing] })).rejects.toThrow(
      "503",
    );
    expect(await known("directory")).toEqual(before);
  });

  it("is read once an hour; a read that failed is repeated at the next look", async () => {
    let reads = 0;
    const counted: GraphClient = {
      ...graph,
      call(request) {
        reads += 1;
        if (reads === 1) return Promise.reject(new Fault("graph.unavailable", "503"));
        return graph.call(request);
      },
    };
    const clock = createManualClock(0);
    const look = createDirectoryReader({ database, log, clock, directories: [counted] });
    await expect(look()).rejects.toThrow("503");
    await look();
    await look();
    clock.advance(3_599_999);
    await look();
    expect(reads).toBe(2);
    clock.advance(1);
    await look();
    expect(reads).toBe(3);
  });
});
