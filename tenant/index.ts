export type { Clock } from "./clock.ts";
export { type DripOptions, sampleMail, startDrip } from "./content/fill-company.ts";
export { generateMessage } from "./content/generate.ts";
export type {
  AppRegistration,
  OutgoingAnswer,
  OutgoingRequest,
  Switches,
  User,
} from "./context.ts";
export {
  createTenant,
  type Tenant,
  type TenantAddresses,
  type TenantOptions,
} from "./create-tenant.ts";
export type { FinishedResponse } from "./dispatch.ts";
export type { ArmedFault, Faults } from "./faults.ts";
export { createTenantRequest, type TenantRequest, type TenantResponse } from "./http.ts";
export type { Journal, JournalEntry } from "./journal.ts";
export { decodeSnapshot, encodeSnapshot, type Shelf, type TenantSnapshot } from "./snapshot.ts";
