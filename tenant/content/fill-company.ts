import type { TenantContext } from "../context.ts";
import type { GraphAdmin } from "../graph/admin.ts";
import { createCompanyMail } from "./company-mail.ts";
import { type NoteMail, noteMail } from "./company-notes.ts";
import { type Kind, LANGUAGES, type NoteTruth } from "./notes/note.ts";

const HOUR_MS = 3_600_000;

/** Puts the company's past mail into its mailboxes; the journal records the true values of each document. */
export async function fillCompany(
  context: TenantContext,
  mail: GraphAdmin,
  seed: string,
): Promise<void> {
  for (const { to, folder, draft, hoursAgo, truth } of await createCompanyMail(seed)) {
    const receivedAt = context.clock.now() - hoursAgo * HOUR_MS;
    await mail.sendMail({ ...draft, to, folder, receivedAt, sentAt: receivedAt - 2000 });
    if (truth !== null) recordTruth(context, draft.internetMessageId ?? "", truth);
  }
}

const DRIPPED: readonly Kind[] = [
  "buy",
  "sell",
  "fx",
  "fraction",
  "statement",
  "bond",
  "pence",
  "newsletter",
];

/** Mail number `index` of the demonstration: mostly trades, cycling through all languages. */
export function sampleMail(seed: string, index: number): Promise<NoteMail> {
  return noteMail({
    seed: `${seed}/drip/${index}`,
    kind: DRIPPED[index % DRIPPED.length]!,
    ...(index % 3 === 0 ? { language: LANGUAGES[(index / 3) % LANGUAGES.length]! } : {}),
  });
}

export interface DripOptions {
  /** The mailbox in which it arrives: a principal name or id. */
  readonly to: string;
  readonly everyMs: number;
  readonly seed?: string;
  /** Stops by itself after this many messages. */
  readonly count?: number;
}

/** Lets sample mail arrive one after another on the tenant's clock; the returned function stops it. */
export function startDrip(
  tenant: { readonly context: TenantContext; readonly graph: { readonly admin: GraphAdmin } },
  options: DripOptions,
): () => void {
  const { context, graph } = tenant;
  const seed = options.seed ?? "drip";
  const count = options.count ?? Number.POSITIVE_INFINITY;
  let cancel = () => {};
  const send = async (index: number): Promise<void> => {
    const { draft, truth } = await sampleMail(seed, index);
    const internetMessageId = `<${seed}-${index}@drip.example>`;
    await graph.admin.sendMail({ ...draft, internetMessageId, to: options.to });
    recordTruth(context, internetMessageId, truth);
    if (index + 1 < count) cancel = context.clock.after(options.everyMs, () => send(index + 1));
  };
  cancel = context.clock.after(0, () => send(0));
  return () => cancel();
}

/**
 * Records the values on the document without their positions: the true values to check an extraction against.
 */
function recordTruth(context: TenantContext, internetMessageId: string, truth: NoteTruth): void {
  const trades = truth.trades.map(({ sources: _, ...trade }) => trade);
  context.journal.record("document.sent", {
    internetMessageId,
    documentType: truth.documentType,
    trades,
  });
}
