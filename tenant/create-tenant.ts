import { createAdminPart } from "./admin/admin-part.ts";
import { type Clock, createRealClock, createVirtualClock } from "./clock.ts";
import { createApps, createPeople } from "./content/company.ts";
import { fillCompany } from "./content/fill-company.ts";
import { type Filled, fillLibrary } from "./content/library/fill-library.ts";
import type {
  AppRegistration,
  OutgoingAnswer,
  OutgoingRequest,
  Switches,
  TenantContext,
  User,
} from "./context.ts";
import { createDispatch, type Dispatch, type FinishedResponse } from "./dispatch.ts";
import { createEntraPart } from "./entra/entra-part.ts";
import { findPerson } from "./entra/sessions.ts";
import { createSigningKeys, type SigningKeys } from "./entra/tokens/keys.ts";
import {
  createAuthenticator,
  mintValidationToken,
  type TokenWorld,
} from "./entra/tokens/tokens.ts";
import { createFaultGate } from "./fault-gate.ts";
import { createFaults, type Faults } from "./faults.ts";
import type { TenantRequest } from "./http.ts";
import { createJournal, type Journal } from "./journal.ts";
import { createOutgoing } from "./outgoing.ts";
import { createParts, stopParts, type TenantParts } from "./parts.ts";
import { createRandom, type Random } from "./random.ts";
import { startServer, type TenantServer } from "./server.ts";
import {
  restoreTenant,
  type Shelf,
  type StatefulParts,
  saveTenant,
  snapshotTenant,
  type TenantSnapshot,
} from "./snapshot.ts";
import { createSwitches } from "./switches.ts";
import { createLocalTls, type LocalTls } from "./tls.ts";

export interface TenantOptions {
  /** The same seed and the same calls on a virtual clock give the same journal, byte for byte. */
  readonly seed?: string | number;
  /** 0, the default, lets the system choose. */
  readonly port?: number;
  /** Null keeps the tenant off the network: everything goes through `handle`. */
  readonly host?: string | null;
  readonly clock?: "real" | "virtual";
  /** Where a virtual clock starts: an ISO time or milliseconds. */
  readonly startAt?: string | number;
  readonly tls?: boolean;
  /** What the mailboxes contain at the start. */
  readonly company?: "none" | "small";
  /** How many sample documents are filed at the start, with different readers (default: none). */
  readonly library?: number;
  readonly switches?: Partial<Switches>;
  /** Answers the tenant's outgoing requests in-process instead of over the network. */
  readonly send?: (request: OutgoingRequest) => Promise<OutgoingAnswer>;
  /** If false, Service Bus is not started. */
  readonly serviceBus?: boolean;
  /** Keeps large files of the drives here for the next start; otherwise they are temporary. */
  readonly contentFolder?: string;
}

export interface TenantAddresses {
  readonly graph: string;
  readonly entra: string;
  readonly dataverse: string;
  /** A connection string; null if Service Bus was not started. */
  readonly serviceBus: string | null;
  /** The connection string of the event hub; null if Service Bus was not started. */
  readonly eventHubs: string | null;
  readonly admin: string;
}

export interface Tenant extends TenantParts {
  readonly origin: string;
  readonly addresses: TenantAddresses;
  readonly tenantId: string;
  /** The daemon's registration, `apps[0]`. */
  readonly clientId: string;
  readonly clientSecret: string;
  readonly users: User[];
  readonly apps: AppRegistration[];
  readonly clock: Clock;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly switches: Switches;
  readonly keys: SigningKeys;
  readonly context: TenantContext;
  /** PEM text of the local authority, if the tenant uses https. */
  readonly ca: string | null;
  /** An access token as sign-in would return it, for tests that are not about sign-in. */
  tokenFor(wanted: {
    /** Principal name or id; if absent, the token is the app's own. */
    user?: string;
    /** App id; by default, the daemon's registration. */
    app?: string;
    /** By default, Graph's default scope. */
    scope?: string;
  }): string;
  /** Ends a person's refresh tokens, as a changed password or an administrator does. */
  revokeSessions(user: string): void;
  /** Withdraws a person's consent to an app. */
  withdrawConsent(user: string, app: string): void;
  /** Answers in-process, without a socket. The caller must act out `wire` in the response. */
  handle(request: TenantRequest): Promise<FinishedResponse>;
  /** Files sample documents with different readers; all of them, unless a number is given. */
  fillLibrary(count?: number): Promise<Filled>;
  snapshot(): TenantSnapshot;
  /** The same as text, without an intermediate copy; for frequent saving. */
  save(shelf?: Shelf): string;
  restore(snapshot: TenantSnapshot): void;
  /** Returns to the state right after creation, for the next test, including faults and switches. */
  reset(): void;
  close(): Promise<void>;
  /** `await using tenant = await createTenant()` closes it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>;
}

const DEFAULT_SEED = "postroom";
const DEFAULT_START = "2026-01-05T08:00:00Z"; // a Monday morning
const UNREACHABLE_ORIGIN = "http://tenant.invalid";

/** Creates a Microsoft tenant in this process: Entra, Graph, Dataverse and Service Bus on loopback. */
export async function createTenant(options: TenantOptions = {}): Promise<Tenant> {
  const tls = options.tls ? await createLocalTls() : null;
  const reach = { origin: UNREACHABLE_ORIGIN };
  const outgoing = createOutgoing();
  const world = await createWorld(options, () => reach.origin);
  const context = createContext(world, options.send ?? outgoing.send, {
    dispatch: (request) => dispatch.answer(request),
    publish: (hubName, body) => parts.serviceBus.publish(hubName, body),
    ...(options.contentFolder === undefined ? {} : { contentFolder: options.contentFolder }),
  });
  const parts = createParts(context);
  const entra = createEntraPart(context, world);
  const seed = String(options.seed ?? DEFAULT_SEED);
  const state = {
    fillLibrary: (count = Number.POSITIVE_INFINITY) =>
      fillLibrary({ ...parts, users: context.users, seed }, count),
    keys: world.keys,
    ...createSnapshots(context, { ...parts, entra }),
  };
  const dispatch = createDispatch(
    context,
    { ...parts, entra, admin: createAdminPart(context, parts, state) },
    createFaultGate(context),
    context.random.fork("wire"),
  );

  const server = options.host === null ? null : await listen(options, tls, context, dispatch);
  if (server) reach.origin = originOf(options, tls, server.port);
  if (options.company === "small") await fillCompany(context, parts.graph.admin, seed);
  if (options.library !== undefined) await state.fillLibrary(options.library);
  const hasServiceBus = options.serviceBus !== false && server !== null;
  if (hasServiceBus) await parts.serviceBus.start(0, tls);

  const { tenantId, clock, journal, faults, switches, users, apps } = context;
  const start = state.snapshot();
  const close = async () => {
    clock.stop();
    await server?.close();
    await stopParts(parts);
    await outgoing.stop();
  };
  return {
    ...parts,
    ...state,
    tenantId,
    clock,
    journal,
    faults,
    switches,
    users,
    apps,
    context,
    origin: reach.origin,
    addresses: addressesOf(reach.origin, hasServiceBus ? parts.serviceBus : null),
    clientId: apps[0]!.appId,
    clientSecret: apps[0]!.secrets[0]!,
    ca: tls?.ca ?? null,
    tokenFor: entra.tokenFor,
    revokeSessions: entra.revokeSessions,
    withdrawConsent: entra.withdrawConsent,
    handle: dispatch.handle,
    reset() {
      for (const name of Object.keys(switches)) delete switches[name];
      state.restore(start);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createSnapshots(context: TenantContext, parts: StatefulParts) {
  return {
    snapshot: () => snapshotTenant(context, parts),
    save: (shelf?: Shelf) => saveTenant(context, parts, shelf),
    restore: (saved: TenantSnapshot) => restoreTenant(context, parts, saved),
  };
}

/** What exists before any part: clock, randomness, directory, keys and journal. */
async function createWorld(options: TenantOptions, origin: () => string): Promise<World> {
  const random = createRandom(options.seed ?? DEFAULT_SEED);
  const clock = createClock(options);
  const journal = createJournal(() => clock.now());
  const users = createPeople(random.fork("people"));
  const faults = createFaults(
    random.fork("faults"),
    (fault, facts) => {
      journal.record("fault.injected", { fault: fault.id, what: fault.kind, ...facts });
    },
    (name) => findPerson(users, name)?.id ?? name,
  );
  return {
    tenantId: random.fork("tenant").uuid(),
    seedRandom: random,
    random: random.fork("entra"),
    switches: createSwitches(options.switches),
    apps: createApps(random.fork("apps")),
    keys: await createSigningKeys(),
    clock,
    journal,
    users,
    faults,
    origin,
  };
}

interface World extends TokenWorld {
  /** The root of all randomness; `random` belongs to Entra. */
  readonly seedRandom: Random;
  readonly apps: AppRegistration[];
  readonly users: User[];
  readonly journal: Journal;
  readonly faults: Faults;
}

function createContext(
  world: World,
  send: TenantContext["send"],
  reach: Required<Pick<TenantContext, "dispatch" | "publish">> &
    Pick<TenantContext, "contentFolder">,
): TenantContext {
  const { tenantId, clock, journal, faults, switches, users, apps, origin } = world;
  const authenticate = createAuthenticator(world);
  return {
    tenantId,
    clock,
    journal,
    faults,
    switches,
    users,
    apps,
    origin,
    send,
    ...reach,
    random: world.seedRandom,
    authenticate: async (authorization, audience) => authenticate(authorization, audience),
    mintValidationToken: (appId) => mintValidationToken(world, appId),
  };
}

function createClock(options: TenantOptions): Clock {
  if (options.clock !== "virtual") return createRealClock();
  return createVirtualClock(new Date(options.startAt ?? DEFAULT_START).getTime());
}

function listen(
  options: TenantOptions,
  tls: LocalTls | null,
  context: TenantContext,
  dispatch: Dispatch,
): Promise<TenantServer> {
  const { host, port = 0 } = options;
  const { clock } = context;
  return startServer({ host: host ?? "127.0.0.1", port, clock, tls, dispatch: dispatch.handle });
}

/** `localhost` with TLS, because SDKs that require https also require a host name. */
function originOf(options: TenantOptions, tls: LocalTls | null, port: number): string {
  return tls ? `https://localhost:${port}` : `http://${options.host ?? "127.0.0.1"}:${port}`;
}

function addressesOf(origin: string, bus: TenantParts["serviceBus"] | null): TenantAddresses {
  return {
    graph: origin,
    entra: origin,
    dataverse: origin,
    serviceBus: bus?.connectionString() ?? null,
    eventHubs: bus?.eventHubConnectionString() ?? null,
    admin: `${origin}/admin`,
  };
}
