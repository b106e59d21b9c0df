/**
 * Notifications that carry their message's properties. They are committed and answered like any other; tokens
 * and content are checked only afterwards, so that a forger learns nothing from our response. Content that
 * fails the check is ignored, and its message is read from Graph.
 */
import type { Log } from "../lib/log.ts";
import type { GraphMessage } from "../mailbox/messages/message.ts";
import type { NotificationRow } from "../mailbox/notifications/notification.ts";
import { createSealedWriter } from "../mailbox/notifications/notification-table.ts";
import { unseal } from "../mailbox/notifications/unseal.ts";
import type { EncryptionKeys } from "../mailbox/subscriptions/encryption-keys.ts";
import type { Database } from "../store/database.ts";
import { type EncryptedContent, openContent, toSnapshot } from "./open-content.ts";
import type { TokenCheck } from "./validation-tokens.ts";

export interface SealedItem {
  readonly row: NotificationRow;
  readonly tenantId: string | null;
  readonly content: EncryptedContent;
}

export interface ContentReceiver {
  /** Resolves when the rows are committed. */
  accept(items: readonly SealedItem[]): Promise<void>;
  /** Resolves when no write is in progress. */
  idle(): Promise<void>;
  /** Called after the response: decrypts the content and lets the jobs begin. */
  open(items: readonly SealedItem[], tokens: unknown): Promise<void>;
}

const SEALED_SECONDS = 5;

export function createContentReceiver(needs: {
  database: Database;
  /** Gives up before Graph does. */
  intakeDatabase: Database;
  keys: EncryptionKeys;
  checkTokens: TokenCheck;
  log: Log;
  onOpened: () => void;
}): ContentReceiver {
  const openItem = async ({ content, row }: SealedItem): Promise<GraphMessage | null> => {
    const key = await needs.keys.privateKey(content.certificateId);
    return toSnapshot(openContent(content, key), row.messageId);
  };

  const writer = createSealedWriter(needs.intakeDatabase, SEALED_SECONDS);
  return {
    accept: (items) => writer.add(items.map((item) => item.row)),
    idle: writer.idle,
    async open(items, tokens) {
      const tenants = await needs.checkTokens(tokens);
      const snapshots = new Map<string, GraphMessage>();
      for (const item of items) {
        const isVouchedFor = tenants.has(item.tenantId ?? "");
        const snapshot = isVouchedFor ? await openItem(item) : null;
        if (snapshot !== null) snapshots.set(item.row.key, snapshot);
      }
      const left = items.length - snapshots.size;
      if (left > 0)
        needs.log.warn(
          { security: "content-not-proven", items: left, tenants: tenants.size },
          "the content of notifications was not used; their messages are read from Graph",
        );
      await unseal(
        needs.database,
        items.map((item) => item.row.key),
        snapshots,
      );
      needs.onOpened();
    },
  };
}
