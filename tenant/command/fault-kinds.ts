/** The list of faults in `--help`; `docs/tenant.md` has the same list with every option. */
export const FAULT_KINDS = `  any part        throttle server-error unauthorized html timeout reset lost-answer slow
                  cut-body bad-json             where: part, method, path (a final * matches the rest), mailbox
                  options: retryAfterSeconds, status, delayMs, afterBytes
  Graph           claims-challenge not-found-once hold empty-page duplicate-delta replay-delta
                  expire-delta reset-delta
  notifications   drop-notification duplicate-notification late-notification
                  reorder-notifications drop-lifecycle notification-before-201
  Entra           interaction-required          where: user, resource, grant    options: number
  Dataverse       service-protection            options: limit, retryAfterSeconds
  Service Bus     drop-connection server-busy lost-ack                          where: queue`;
