/**
 * Controls the local tenant for the console: mail, faults, clock, scenarios. The routes exist only with the local tenant.
 * The browser never learns the tenant's address or secrets, and sends no files and no headers of its own choice.
 */
import * as z from "zod";
import { conflict, notFound } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";

/** What goes wrong on purpose, and how many times more. */
export interface TenantFault {
  readonly id: string;
  readonly kind: string;
  readonly where: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
  /** Null means unlimited. */
  readonly remaining: number | null;
}

export interface TenantState {
  readonly clock: { readonly now: string; readonly isVirtual: boolean };
  readonly mailboxes: readonly string[];
  readonly faults: readonly TenantFault[];
}

export interface TenantMail {
  readonly to: string;
  readonly from?: string | undefined;
  readonly subject?: string | undefined;
  readonly body?: string | undefined;
  /** Exchange's verdict on the sender. */
  readonly auth?: "pass" | "fail" | "none" | undefined;
  /** A broker's mail with a contract note, instead of the texts. */
  readonly isNote?: boolean | undefined;
}

export interface TenantScenario {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** Refusals of the tenant are thrown as problems with its own words. */
export interface TenantSteering {
  readonly scenarios: readonly TenantScenario[];
  readonly faultKinds: readonly string[];
  state(): Promise<TenantState>;
  send(mail: TenantMail): Promise<{ readonly id: string; readonly subject: string }>;
  arm(fault: z.infer<typeof NewFault>): Promise<TenantFault>;
  /** Null clears all of them. */
  clear(faultId: string | null): Promise<void>;
  advance(by: string): Promise<TenantState["clock"]>;
  /** Returns what was done, in words. */
  play(scenario: string): Promise<readonly string[]>;
}

const tags = ["tenant"];
const Clock = z.object({ now: z.string(), isVirtual: z.boolean() });
const Facts = z.record(z.string().max(40), z.union([z.string().max(400), z.number()]));

const Fault = z
  .object({
    id: z.string(),
    kind: z.string(),
    where: z.record(z.string(), z.unknown()),
    options: z.record(z.string(), z.unknown()),
    remaining: z.int().nullable().describe("null means unlimited"),
  })
  .meta({ id: "TenantFault" });

const NewFault = z.object({
  kind: z.string().min(1).max(40),
  times: z.int().min(1).max(1_000_000).optional().describe("unlimited if absent"),
  where: Facts.optional(),
  options: Facts.optional(),
});

const NewMail = z.object({
  to: z.string().min(1).max(320),
  from: z.email().max(320).optional(),
  subject: z.string().max(400).optional(),
  body: z.string().max(100_000).optional(),
  auth: z.enum(["pass", "fail", "none"]).optional().describe("Exchange's verdict on the sender"),
  isNote: z.boolean().optional().describe("a broker's mail with a contract note"),
});

const State = z
  .object({
    clock: Clock,
    mailboxes: z.array(z.string()),
    faults: z.array(Fault),
    faultKinds: z.array(z.string()),
    scenarios: z.array(z.object({ name: z.string(), title: z.string(), text: z.string() })),
  })
  .meta({ id: "TenantState" });

export function registerTenantRoutes(app: ApiScope, tenant: TenantSteering): void {
  app.get(
    "/api/tenant",
    {
      config: { access: "operator" },
      schema: {
        operationId: "getTenant",
        summary: "The local tenant: clock, mailboxes, armed faults, scenarios",
        tags,
        response: { 200: State },
      },
    },
    async () => {
      const { clock, mailboxes, faults } = await tenant.state();
      return {
        clock,
        mailboxes: [...mailboxes],
        faults: faults.map(viewFault),
        faultKinds: [...tenant.faultKinds],
        scenarios: tenant.scenarios.map(({ name, title, text }) => ({ name, title, text })),
      };
    },
  );

  app.post(
    "/api/tenant/mail",
    {
      config: { access: "operator" },
      schema: {
        operationId: "sendTenantMail",
        summary: "Let a message arrive in a mailbox of the local tenant",
        tags,
        body: NewMail,
        example: { body: { to: "operations@ashdown.example", isNote: true, auth: "fail" } },
        response: { 201: z.object({ id: z.string(), subject: z.string() }) },
      },
    },
    async (request, reply) => {
      const { id, subject } = await tenant.send(request.body);
      return reply.code(201).send({ id, subject });
    },
  );
  registerFaultRoutes(app, tenant);
  registerPlayRoutes(app, tenant);
}

function registerFaultRoutes(app: ApiScope, tenant: TenantSteering): void {
  app.post(
    "/api/tenant/faults",
    {
      config: { access: "operator" },
      schema: {
        operationId: "armTenantFault",
        summary: "Let something go wrong in the local tenant",
        tags,
        body: NewFault,
        example: { body: { kind: "throttle", times: 5, where: { part: "graph" } } },
        response: { 201: Fault },
      },
    },
    async (request, reply) => reply.code(201).send(viewFault(await tenant.arm(request.body))),
  );
  app.delete(
    "/api/tenant/faults",
    {
      config: { access: "operator" },
      schema: {
        operationId: "clearTenantFaults",
        summary: "Clear every fault of the local tenant",
        tags,
        response: { 204: z.undefined() },
      },
    },
    async (_, reply) => {
      await tenant.clear(null);
      return reply.code(204).send(undefined);
    },
  );
  app.delete(
    "/api/tenant/faults/:id",
    {
      config: { access: "operator" },
      schema: {
        operationId: "clearTenantFault",
        summary: "Clear one fault of the local tenant",
        tags,
        params: z.object({ id: z.string().max(100) }),
        example: { params: { id: "fault-1" } },
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await tenant.clear(request.params.id);
      return reply.code(204).send(undefined);
    },
  );
}

function registerPlayRoutes(app: ApiScope, tenant: TenantSteering): void {
  app.post(
    "/api/tenant/clock",
    {
      config: { access: "operator" },
      schema: {
        operationId: "advanceTenantClock",
        summary: "Move the clock of a local tenant that does not run in real time",
        tags,
        body: z.object({ by: z.string().regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/, "such as 45m or 3d") }),
        example: { body: { by: "45m" } },
        response: { 200: Clock },
      },
    },
    async (request) => {
      if (!(await tenant.state()).clock.isVirtual)
        throw conflict("the tenant runs in real time, so its clock cannot be moved");
      return tenant.advance(request.body.by);
    },
  );
  app.post(
    "/api/tenant/scenarios/:name",
    {
      config: { access: "operator" },
      schema: {
        operationId: "playTenantScenario",
        summary: "Play a scenario in the local tenant",
        tags,
        params: z.object({ name: z.string().max(100) }),
        example: { params: { name: "forged-sender" } },
        response: { 200: z.object({ steps: z.array(z.string()) }) },
      },
    },
    async (request) => {
      const { name } = request.params;
      if (!tenant.scenarios.some((each) => each.name === name))
        throw notFound("there is no such scenario; /api/tenant lists them");
      return { steps: [...(await tenant.play(name))] };
    },
  );
}

const viewFault = ({ id, kind, where, options, remaining }: TenantFault) => ({
  id,
  kind,
  where: { ...where },
  options: { ...options },
  remaining,
});
