import { Secret } from "../lib/redact.ts";

/** Where documents are filed, and what happens to mail. */
export interface DocumentSettings {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly graphOrigin: string;
  readonly authorityOrigin: string;
  readonly dataverseOrigin: string;
  readonly uploadHosts: readonly string[];
  /** A drive id. */
  readonly defaultContainerId: string;
  readonly usesPreviewAction: boolean;
  readonly webhook: { readonly isOn: boolean; readonly secret: Secret | null };
  /** What happens to mail that matches no rule. */
  readonly defaultAction: "AutoSave" | "Ignore" | "ReviewRequired";
  /** The search for e-mails that no webhook announced; null if it is off. */
  readonly polling: {
    readonly everyMinutes: number;
    /** At most a week, for which jobs are kept. */
    readonly lookbackHours: number;
    readonly batchSize: number;
  } | null;
  readonly attachmentBytesMax: number;
  readonly mailBytesMax: number;
}

const MEGABYTE = 1024 * 1024;

export function readDocuments(settings: {
  readonly TENANT_ID?: string | undefined;
  readonly API_APP_ID?: string | undefined;
  readonly API_CLIENT_SECRET?: string | undefined;
  readonly GRAPH_BASE_URL: string;
  readonly GRAPH_AUTHORITY: string;
  readonly Dataverse__ServiceUrl?: string | undefined;
  readonly EmailProcessing__DefaultContainerId?: string | undefined;
  readonly EmailProcessing__EnableWebhook: boolean;
  readonly EmailProcessing__WebhookSecret?: string | undefined;
  readonly EmailProcessing__DefaultAction: DocumentSettings["defaultAction"];
  readonly EmailProcessing__EnablePolling: boolean;
  readonly EmailProcessing__PollingIntervalMinutes: number;
  readonly EmailProcessing__PollingLookbackHours: number;
  readonly EmailProcessing__PollingBatchSize: number;
  readonly EmailProcessing__MaxAttachmentSizeMB: number;
  readonly EmailProcessing__MaxTotalSizeMB: number;
  readonly Documents__UploadHosts: string;
  readonly Documents__PreviewAction: boolean;
}): DocumentSettings | null {
  const secret = settings.EmailProcessing__WebhookSecret;
  if (settings.Dataverse__ServiceUrl === undefined) return null;
  return {
    tenantId: settings.TENANT_ID!,
    clientId: settings.API_APP_ID!,
    clientSecret: new Secret(settings.API_CLIENT_SECRET!),
    graphOrigin: new URL(settings.GRAPH_BASE_URL).origin,
    authorityOrigin: new URL(settings.GRAPH_AUTHORITY).origin,
    dataverseOrigin: new URL(settings.Dataverse__ServiceUrl).origin,
    uploadHosts: settings.Documents__UploadHosts.split(",").map((ending) =>
      ending
        .trim()
        .toLowerCase()
        .replace(/^\*?\.?/, "."),
    ),
    defaultContainerId: settings.EmailProcessing__DefaultContainerId!,
    usesPreviewAction: settings.Documents__PreviewAction,
    webhook: {
      isOn: settings.EmailProcessing__EnableWebhook,
      secret: secret === undefined ? null : new Secret(secret),
    },
    defaultAction: settings.EmailProcessing__DefaultAction,
    polling: settings.EmailProcessing__EnablePolling
      ? {
          everyMinutes: settings.EmailProcessing__PollingIntervalMinutes,
          lookbackHours: settings.EmailProcessing__PollingLookbackHours,
          batchSize: settings.EmailProcessing__PollingBatchSize,
        }
      : null,
    attachmentBytesMax: settings.EmailProcessing__MaxAttachmentSizeMB * MEGABYTE,
    mailBytesMax: settings.EmailProcessing__MaxTotalSizeMB * MEGABYTE,
  };
}
