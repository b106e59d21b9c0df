/** Requests to `$cbs` and `$management`, and their answers. */
export interface ManagementRequest {
  readonly message_id?: string;
  readonly reply_to?: string;
  readonly application_properties?: Record<string, unknown>;
  readonly body?: unknown;
}

export interface ManagementAnswer {
  readonly status: number;
  readonly description: string;
  readonly condition?: string;
  readonly body?: unknown;
}
