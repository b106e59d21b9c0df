/**
 * The shared table and the statements that every program on it agreed on, character for character. Other
 * programs run the same text, so do not improve anything here; what it lacks is added around it.
 */
import { Fault } from "../lib/fault.ts";

export const CREATE_TABLE = `CREATE TABLE bo_airflow.email_ingestion_state (
    id BIGSERIAL PRIMARY KEY,
    app_name VARCHAR(100) NOT NULL,
    message_id VARCHAR(255) NOT NULL,
    mailbox_email VARCHAR(255) NOT NULL,
    sender_email VARCHAR(255),
    received_at TIMESTAMPTZ,
    subject TEXT,
    status VARCHAR(20) NOT NULL DEFAULT 'processing',
    error_message TEXT,
    attachments_processed INTEGER NOT NULL DEFAULT 0,
    trades_extracted INTEGER NOT NULL DEFAULT 0,
    archive_gcs_paths JSONB,
    worker_id VARCHAR(255),
    created_at TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    CONSTRAINT unique_app_message UNIQUE (app_name, message_id)
);`;

/** Takes the message id. */
export const CHECK_SUCCESS = `SELECT 1 FROM bo_airflow.email_ingestion_state
WHERE app_name = 'pad_contract_notes' AND message_id = %s AND status = 'success'`;

/** Takes message id, mailbox, sender, received at, subject, worker id. */
export const CLAIM = `INSERT INTO bo_airflow.email_ingestion_state
    (app_name, message_id, mailbox_email, sender_email, received_at, subject, status, worker_id, created_at, updated_at)
VALUES ('pad_contract_notes', %s, %s, %s, %s, %s, 'processing', %s, NOW(), NOW())
ON CONFLICT (app_name, message_id) DO UPDATE SET
    status = CASE WHEN email_ingestion_state.status IN ('failed', 'skipped') THEN 'processing'
                  ELSE email_ingestion_state.status END,
    worker_id = EXCLUDED.worker_id,
    updated_at = NOW()
WHERE email_ingestion_state.status != 'success'
RETURNING status`;

/** Takes attachments processed, trades extracted, archive paths as JSON, message id. */
export const MARK_SUCCESS = `UPDATE bo_airflow.email_ingestion_state
SET status = 'success', attachments_processed = %s, trades_extracted = %s, archive_gcs_paths = %s, updated_at = NOW()
WHERE app_name = 'pad_contract_notes' AND message_id = %s`;

/** Takes the reason and the message id. */
export const MARK_FAILED = `UPDATE bo_airflow.email_ingestion_state
SET status = 'failed', error_message = %s, updated_at = NOW()
WHERE app_name = 'pad_contract_notes' AND message_id = %s`;

/** The names that an installation may change. */
export interface Naming {
  readonly schema: string;
  readonly appName: string;
  readonly attachmentsColumn: string;
  readonly archivePathsColumn: string;
}

export const DEFAULT_NAMING: Naming = {
  schema: "bo_airflow",
  appName: "pad_contract_notes",
  attachmentsColumn: "attachments_processed",
  archivePathsColumn: "archive_gcs_paths",
};

const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/;
const APP_NAME = /^[\w.-]{1,100}$/;

/** The statement with the names of this installation. With the default names the text is unchanged. */
export function inNames(statement: string, naming: Naming): string {
  assertNaming(naming);
  return statement
    .replaceAll("bo_airflow.", `${naming.schema}.`)
    .replaceAll("'pad_contract_notes'", `'${naming.appName}'`)
    .replaceAll("attachments_processed", naming.attachmentsColumn)
    .replaceAll("archive_gcs_paths", naming.archivePathsColumn);
}

/** The same statement with this driver's placeholders: each %s becomes $1, $2 and so on. */
export function toNumbered(statement: string): string {
  let n = 0;
  return statement.replace(/%s/g, () => `$${++n}`);
}

/** Names become part of the statements, so only plain identifiers are allowed. */
export function assertNaming(naming: Naming): void {
  const identifiers = [naming.schema, naming.attachmentsColumn, naming.archivePathsColumn];
  const bad = identifiers.filter((name) => !IDENTIFIER.test(name));
  if (!APP_NAME.test(naming.appName)) bad.push(naming.appName);
  if (bad.length > 0) {
    throw new Fault("settings.bad", `not a usable name for the ingestion table: ${bad.join(", ")}`);
  }
}
