import { createAdminPart } from "./admin/admin-part.ts";
import { type Clock, createRealClock, createVirtualClock } from "./clock.ts";
import { createApps, createPeople } from "./content/company.ts";
import { fillCompany } from "./content/fill-company.ts";
import type {
  AppRegistration,
  OutgoingAnswer,
  OutgoingRequest,
  Switches,
  TenantContext,
  User,
} from "./context.ts";
import { createDispatch, type FinishedResponse } from "./dispatch.ts";
import { createEntraPart } from "./entra/entra-part.ts";
import { createSigningKeys, type SigningKeys } from "./entra/keys.ts";
import { findPerson } from "./entra/sessions.ts";
import { createAuthenticator, mintValidationToken, type TokenWorld } from "./entra/tokens.ts";
import { createFaultGate } from "./fault-gate.ts";
import { createFaults, type Faults } from "./faults.ts";
import type { TenantRequest } from "./http.ts";
import { createJournal, type Journal } from "./journal.ts";
import { createOutgoing } from "./outgoing.ts";
import { type LoadedParts, loadParts } from "./parts.ts";
import { createRandom } from "./random.ts";
import { startServer } from "./server.ts";
import { restoreTenant, snapshotTenant, type TenantSnapshot } from "./snapshot.ts";
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
  /** What the mailboxes hold at the start. */
  readonly company?: "none" | "small";
  readonly switches?: Partial<Switches>;
  /** Answers the tenant's outgoing requests in-process instead of over the network. */
  readonly send?: (request: OutgoingRequest) => Promise<OutgoingAnswer>;
  /** False leaves the Service Bus unstarted. */
  readonly serviceBus?: boolean;
}

export interface TenantAddresses {
  readonly graph: string;
  readonly entra: string;
  readonly dataverse: string;
  /** A connection string, or null when the Service Bus was not started. */
  readonly serviceBus: string | null;
  readonly admin: string;
}

export interface Tenant extends LoadedParts {
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
  /** PEM text of the local authority when the tenant speaks https. */
  readonly ca: string | null;
  /** An access token as sign-in would give it, for tests that are not about sign-in. */
  tokenFor(wanted: {
    /** Principal name or id; without one the token is the app's own. */
    user?: string;
    /** App id; the daemon's registration without one. */
    app?: string;
    /** Graph's default scope without one. */
    scope?: string;
  }): string;
  /** Answers in-process, without a socket. `wire` in the answer is for the caller to play. */
  handle(request: TenantRequest): Promise<FinishedResponse>;
  snapshot(): TenantSnapshot;
  restore(snapshot: TenantSnapshot): void;
  close(): Promise<void>;
}

const DEFAULT_SEED = "postroom";
const DEFAULT_START = "2026-01-05T08:00:00Z"; // a Monday morning
const UNREACHABLE_ORIGIN = "http://tenant.invalid";

/** A Microsoft tenant in this process: Entra, Graph, Dataverse and Service Bus on loopback. */
export async function createTenant(options: TenantOptions = {}): Promise<Tenant> {
  const random = createRandom(options.seed ?? DEFAULT_SEED);
  const clock = createClock(options);
  const journal = createJournal(() => clock.now());
  const switches = createSwitches(options.switches);
  const users = createPeople(random.fork("people"));
  const faults = createFaults(
    random.fork("faults"),
    (fault, facts) => {
      journal.record("fault.injected", { fault: fault.id, what: fault.kind, ...facts });
    },
    (name) => findPerson(users, name)?.id ?? name,
  );
  const apps = createApps(random.fork("apps"));
  const tls = options.tls ? await createLocalTls() : null;
  const outgoing = createOutgoing();
  const keys = await createSigningKeys();
  let origin = UNREACHABLE_ORIGIN;

  const tenantId = random.fork("tenant").uuid();
  const world: TokenWorld = {
    tenantId,
    apps,
    clock,
    random: random.fork("entra"),
    switches,
    keys,
    origin: () => origin,
  };
  const authenticate = createAuthenticator(world);
  const context: TenantContext = {
    ...{ tenantId, clock, random, journal, faults, switches, users, apps },
    origin: () => origin,
    authenticate: async (authorization, audience) => authenticate(authorization, audience),
    mintValidationToken: (appId) => mintValidationToken(world, appId),
    dispatch: (request) => dispatch.answer(request),
    send: options.send ?? outgoing.send,
  };
  const parts = await loadParts(context);
  parts.drives.admin.onChange((drive) => parts.graph.admin.driveChanged(drive.id));
  const entra = createEntraPart(context, world);
  const stateful = { ...parts, entra };
  const core = { context, keys, snapshot, restore };
  const admin = createAdminPart(context, parts, core);
  const dispatch = createDispatch(
    context,
    {
      graph: parts.graph.handle,
      drives: parts.drives.handle,
      dataverse: parts.dataverse.handle,
      entra: entra.handle,
      admin: admin.handle,
      serviceBus: parts.serviceBus.handle,
    },
    createFaultGate(context),
    random.fork("wire"),
  );

  function snapshot(): TenantSnapshot {
    return snapshotTenant(context, stateful);
  }
  function restore(saved: TenantSnapshot): void {
    restoreTenant(context, stateful, saved);
  }

  const server =
    options.host === null
      ? null
      : await startServer({
          host: options.host ?? "127.0.0.1",
          port: options.port ?? 0,
          clock,
          tls,
          dispatch: dispatch.handle,
        });
  if (server) origin = originOf(options, tls, server.port);
  if (options.company === "small") {
    await fillCompany(context, parts.graph.admin, String(options.seed ?? DEFAULT_SEED));
  }
  const hasServiceBus = options.serviceBus !== false && server !== null;
  if (hasServiceBus) await parts.serviceBus.start(0, tls);

  const daemon = apps[0]!;
  return {
    ...parts,
    origin,
    addresses: {
      graph: origin,
      entra: origin,
      dataverse: origin,
      serviceBus: hasServiceBus ? parts.serviceBus.connectionString() : null,
      admin: `${origin}/admin`,
    },
    tenantId,
    clientId: daemon.appId,
    clientSecret: daemon.secrets[0]!,
    ...{ users, apps, clock, journal, faults, switches, keys, context },
    ca: tls?.ca ?? null,
    tokenFor: (wanted) => entra.tokenFor(wanted),
    handle: dispatch.handle,
    snapshot,
    restore,
    async close() {
      clock.stop();
      await server?.close();
      for (const part of [parts.graph, parts.drives, parts.dataverse, parts.serviceBus]) {
        await part.stop?.();
      }
      await outgoing.stop();
    },
  };
}

function createClock(options: TenantOptions): Clock {
  if (options.clock !== "virtual") return createRealClock();
  return createVirtualClock(new Date(options.startAt ?? DEFAULT_START).getTime());
}

/** `localhost` with TLS, since the SDKs that insist on https also insist on a host name. */
function originOf(options: TenantOptions, tls: LocalTls | null, port: number): string {
  return tls ? `https://localhost:${port}` : `http://${options.host ?? "127.0.0.1"}:${port}`;
}
