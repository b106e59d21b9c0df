/** Headers by which a caller acts for somebody else, or around the rules. */
import type { TenantRequest } from "../../http.ts";
import type { DataverseWorld } from "./dataverse-call.ts";
import { DataverseProblem } from "./dataverse-error.ts";
import type { Row } from "./rows.ts";

/** The user whom a header names as the one who acts; null if there is no such header. */
export function findActor(
  world: DataverseWorld,
  initiator: Row,
  { headers }: TenantRequest,
): Row | null {
  const objectId = headers["callerobjectid"];
  const systemUserId = headers["mscrmcallerid"];
  if (objectId === undefined && systemUserId === undefined) return null;
  const users = world.rows.all(world.schema.byName("systemuser")!);
  const user = users.find(({ id, values }) =>
    objectId === undefined
      ? id === systemUserId?.toLowerCase()
      : values["azureactivedirectoryobjectid"] === objectId.toLowerCase(),
  );
  if (user === undefined) {
    const message = `The user with id ${objectId ?? systemUserId} to act for does not exist.`;
    throw new DataverseProblem(403, "0x80042f09", message);
  }
  checkImpersonation(world, initiator);
  return user;
}

function checkImpersonation({ security }: DataverseWorld, initiator: Row): void {
  if (security.mayImpersonate(initiator)) return;
  throw new DataverseProblem(
    403,
    "0x80040220",
    `Principal user (Id=${initiator.id}, type=8) is missing prvActOnBehalfOfAnotherUser privilege.`,
  );
}

const BYPASSES = [
  "mscrm.bypasscustompluginexecution",
  "mscrm.bypassbusinesslogicexecution",
  "mscrm.bypassbusinesslogicexecutionstepids",
];
/** Obeyed elsewhere, or without anything here that it could keep from running: there are no flows. */
const OBEYED = [
  "mscrm.suppressduplicatedetection",
  "mscrm.suppresscallbackregistrationexpanderjob",
];
/** It matters to writes alone (optional-parameters). */
const SOLUTION = "mscrm.solutionuniquename";

/** The optional parameters of a request, which are the headers with this prefix. */
export function checkParameters({ headers, method }: TenantRequest, initiator: Row): void {
  checkBypass(headers, initiator);
  const isKnown = (name: string) =>
    BYPASSES.includes(name) || OBEYED.includes(name) || (name === SOLUTION && method === "GET");
  const unknown = Object.keys(headers).find((name) => /^mscrm\./.test(name) && !isKnown(name));
  if (unknown === undefined) return;
  throw new DataverseProblem(
    501,
    "0x80060888",
    `The header ${unknown} is not part of the local tenant.`,
  );
}

/** Nobody here has the privilege to keep webhooks and plug-ins from running. */
function checkBypass(headers: TenantRequest["headers"], initiator: Row): void {
  if (BYPASSES.every((name) => /^(false)?$/i.test(headers[name] ?? ""))) return;
  throw new DataverseProblem(
    403,
    "0x80040220",
    `Principal user (Id=${initiator.id}, type=8) is missing prvBypassCustomPlugins privilege.`,
  );
}
