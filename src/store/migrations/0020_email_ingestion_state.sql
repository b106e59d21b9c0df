-- Shared with programs that are not ours, so its columns are theirs as much as ours. An existing table is
-- used as it is; everything that we add stands in schema postroom.
CREATE SCHEMA IF NOT EXISTS bo_airflow;

CREATE TABLE IF NOT EXISTS bo_airflow.email_ingestion_state (
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
);
