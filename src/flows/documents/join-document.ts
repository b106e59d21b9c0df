import { bindParent } from "../../filing/container.ts";
import type { DataverseMail } from "../../filing/dataverse-mail.ts";
import type { Filing } from "../../filing/filing.ts";
import { isTakenElsewhere, RECORDS } from "../../filing/record.ts";
import { emailColumn } from "../../filing/record-columns.ts";
import { failure, type JobOutcome } from "../../jobs/outcome.ts";
import type { DataverseClient } from "../../microsoft/dataverse/dataverse-client.ts";

const LATER_MS = 30_000;

/**
 * A watched mailbox filed this mail first: its record is linked to the e-mail, and to the e-mail's parent if it has
 * no parent yet. Returns an outcome if that has to wait.
 */
export async function joinDocument(
  dataverse: DataverseClient,
  mail: DataverseMail,
  held: Filing,
): Promise<JobOutcome | null> {
  if (held.state === "missing") return null;
  if (held.state !== "recorded")
    return failure("job.busy", `another job is still filing this mail as ${held.id}`, {
      retryAfterMs: LATER_MS,
    });
  const row = await dataverse.get<{ _sprk_email_value: string | null }>(
    `${RECORDS}(${held.id})?$select=_sprk_email_value`,
  );
  if (row === null || row._sprk_email_value !== null) return null;
  const hasParent = Object.keys(held.columns).some((name) => name.endsWith("@odata.bind"));
  const parent = hasParent || mail.parent === null ? {} : bindParent(mail.parent);
  try {
    await dataverse.update(RECORDS, held.id, { ...emailColumn(mail.id), ...parent });
  } catch (error) {
    // A record of another program refers to this e-mail; there may be only one.
    if (!isTakenElsewhere(error)) throw error;
  }
  return null;
}
