import { join } from "node:path";
import { collectDefaultMetrics, Registry } from "prom-client";
import { reachOf } from "../config/connections.ts";
import type { Config } from "../config.ts";
import { readOrCreate } from "../files/disk.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { Fault } from "../lib/fault.ts";
import { createLog, type Log } from "../lib/log.ts";
import { type Random, systemRandom } from "../lib/random.ts";
import { createSeal, type Seal } from "../lib/seal.ts";
import { type Connections, createConnections } from "../mailbox/connections.ts";
import { openConsents } from "../mailbox/consents/open-consents.ts";
import { assertReachable } from "../store/assert-reachable.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { keepEmbeddedPostgres } from "../store/keep-embedded-postgres.ts";
import { migrate } from "../store/migrate.ts";
import { chooseByReach, LIMITED_ROLE } from "../store/reach.ts";

/** What every part of the app needs. */
export interface Foundation {
  readonly config: Config;
  readonly database: Database;
  /** A few connections with a short timeout, so that Graph gets a 503 before it gives up. */
  readonly intakeDatabase: Database;
  readonly connections: Connections;
  readonly metrics: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly operatorKey: string;
  /** Encrypts what is stored of other people's secrets. */
  readonly seal: Seal;
}

/** Run in reverse order when the app stops or fails to start. */
export type Closers = (() => Promise<unknown>)[];

export interface FoundationOptions {
  readonly log?: Log;
  readonly clock?: Clock;
  readonly random?: Random;
  /** How long writing notifications may take; tests of other things set it high. */
  readonly intakeWriteMs?: number;
}

// The client times out half a second later, and Graph must get a response within two seconds.
export const INTAKE_WRITE_MS = 1_200;

export async function layFoundation(
  config: Config,
  options: FoundationOptions,
  closers: Closers,
): Promise<Foundation> {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const log = options.log ?? createLog({ level: config.logLevel });
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });

  const url = config.databaseUrl ?? (await startOwnDatabase(config, log, closers));
  const database = openForCallers(config, url);
  const intakeDatabase = openDatabase({
    url,
    connections: 3,
    statementTimeoutMs: options.intakeWriteMs ?? INTAKE_WRITE_MS,
    applicationName: "postroom-intake",
  });
  closers.push(database.close, intakeDatabase.close);
  if (config.databaseUrl !== null) await assertReachable(database);
  await migrate(database);

  const operatorKey = await loadKey(config.home, "operator-key", random);
  const sealKey = config.sealKey?.reveal() ?? (await loadKey(config.home, "seal-key", random));
  const seal = createSeal(sealKey, random);
  const consents = openConsents({ database, seal, log });
  const connections = createConnections(config.connections, { clock, random, database, consents });
  closers.push(connections.close);
  return {
    config,
    database,
    intakeDatabase,
    connections,
    metrics,
    clock,
    random,
    log,
    operatorKey,
    seal,
  };
}

/** With several tenants, people's requests run on connections that reach their own tenant only. */
function openForCallers(config: Config, url: string): Database {
  const database = openDatabase({ url, connections: 12 });
  const connections = reachOf(config);
  if (connections === null) return database;
  const limitedTo = { role: LIMITED_ROLE, connections };
  return chooseByReach(database, openDatabase({ url, connections: 6, limitedTo }));
}

async function startOwnDatabase(config: Config, log: Log, closers: Closers): Promise<string> {
  const postgres = await keepEmbeddedPostgres({ folder: join(config.home, "postgres") }, log);
  closers.push(postgres.stop);
  return postgres.url;
}

const KEY_LENGTH_MIN = 32;

/** Processes that share the home get the same key, also if they all start for the first time now. */
async function loadKey(home: string, name: string, random: Random): Promise<string> {
  const file = join(home, name);
  const key = (await readOrCreate(file, random.bytes(32).toString("base64url"), random)).trim();
  if (key.length >= KEY_LENGTH_MIN) return key;
  throw new Fault(
    "settings.bad",
    `${file} holds no key of at least ${KEY_LENGTH_MIN} characters: restore it, or remove it to get a new one`,
  );
}
