import { Fault, type FaultCode, type FaultDetails } from "../../lib/fault.ts";
import type { HttpAnswer } from "../../lib/http.ts";

/** A Microsoft API refused a call. Each API has a subclass that knows its codes. */
export class ApiError extends Fault {
  readonly status: number;
  readonly answerHeaders: Readonly<Record<string, string>>;

  constructor(
    code: FaultCode,
    message: string,
    answer: HttpAnswer,
    details: Omit<FaultDetails, "cause">,
  ) {
    super(code, message, details);
    this.status = answer.status;
    this.answerHeaders = answer.headers;
  }
}
