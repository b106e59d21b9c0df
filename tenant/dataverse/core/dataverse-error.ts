import type { TenantResponse } from "../../http.ts";

/** A refusal in Dataverse's words. Handlers throw it; the part turns it into the response. */
export class DataverseProblem extends Error {
  readonly status: number;
  /** Hexadecimal, such as `0x80040217`; the service sometimes leaves it empty. */
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export function toErrorResponse(
  problem: DataverseProblem,
  wants: (annotation: string) => boolean,
): TenantResponse {
  const { status, code, message } = problem;
  const details = Object.entries({
    "ErrorDetails.OperationStatus": "0",
    "ErrorDetails.SubErrorCode": String(Number(code || 0)),
    HelpLink: `http://go.microsoft.com/fwlink/?LinkID=398563&error=Microsoft.Crm.CrmException%3a${code.slice(2)}&client=platform`,
    TraceText: "\r\n",
    "InnerError.Message": message,
  })
    .map(([name, text]) => [`Microsoft.PowerApps.CDS.${name}`, text] as const)
    .filter(([name]) => wants(name))
    .map(([name, text]) => [`@${name}`, text]);
  return {
    status,
    headers: { "odata-version": "4.0", ...problem.headers },
    body: { error: { code, message, ...Object.fromEntries(details) } },
  };
}

/** The code for everything that is wrong with a URL. */
const QUERY = "0x80060888";
/** The code for everything that is wrong with a body. */
const PAYLOAD = "0x80048d19";

export function badQuery(message: string): DataverseProblem {
  return new DataverseProblem(400, QUERY, message);
}

export function badPayload(setName: string, inner: string): DataverseProblem {
  const message = `Error identified in Payload provided by the user for Entity :'${setName}', For more information on this error please follow this help link https://go.microsoft.com/fwlink/?linkid=2195293  ---->  InnerException : Microsoft.OData.ODataException: ${inner}`;
  return new DataverseProblem(400, PAYLOAD, message);
}

export function unknownSegment(segment: string): DataverseProblem {
  return new DataverseProblem(
    404,
    "0x8006088a",
    `Resource not found for the segment '${segment}'.`,
  );
}

export function unknownProperty(name: string, table: string): DataverseProblem {
  return badQuery(
    `Could not find a property named '${name}' on type 'Microsoft.Dynamics.CRM.${table}'.`,
  );
}

export function rowNotFound(table: string, id: string): DataverseProblem {
  return new DataverseProblem(
    404,
    "0x80040217",
    `Entity '${table}' With Id = ${id} Does Not Exist`,
  );
}

/** The columns of an alternate key name no row. */
export function keyNotFound(table: string): DataverseProblem {
  return new DataverseProblem(
    404,
    "0x80060891",
    `A record with the specified key values does not exist in ${table} entity`,
  );
}

export function wrongMethod(): DataverseProblem {
  return new DataverseProblem(
    405,
    "0x80060888",
    "The requested resource does not support this HTTP method.",
  );
}
