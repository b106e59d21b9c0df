/** Where a person probably wants to save a message: from what they saved before, and from numbers in its subject. */
import type { DataverseClient } from "../../microsoft/dataverse/dataverse-client.ts";
import type { Queryable } from "../../store/database.ts";
import { getRecord } from "../record.ts";
import { OfficeRefusal } from "./office-refusal.ts";
import type { Target } from "./office-save.ts";
import { findRecentSaves, findSavesOfMessage, type OfficeSaveRow } from "./office-save-table.ts";
import { partsOf } from "./put-files.ts";
import { type FoundTarget, findTargets, loadTargetName } from "./target.ts";

export interface MailHints {
  readonly sender?: string | undefined;
  readonly subject?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly internetMessageId?: string | undefined;
}

export interface FiledDocument {
  readonly documentId: string;
  readonly name: string;
  readonly webUrl: string | null;
  readonly target: FoundTarget;
  readonly savedAt: string;
}

const LOOKED_AT = 100;
const SHOWN = 5;
/** A matter's number, like `M-2026-014` or `ABC-1234`. */
const NUMBER = /\b[A-Z]{1,6}-?\d{2,}(?:-\d+)*\b/g;

export async function suggestTargets(
  needs: { readonly database: Queryable; readonly dataverse: DataverseClient },
  ownerId: string,
  hints: MailHints,
): Promise<{ recent: FoundTarget[]; suggested: FoundTarget[]; filed: FiledDocument[] }> {
  const { database, dataverse } = needs;
  const saves = await findRecentSaves(database, ownerId, LOOKED_AT);
  const names = createNames(dataverse);
  const alike = saves.filter(({ facts: { mail } }) => isAlike(mail, hints));
  const numbers = [...new Set(hints.subject?.match(NUMBER) ?? [])].slice(0, 2);
  const numbered = await Promise.all(
    numbers.map((query) =>
      findTargets(dataverse, { query, tables: ["sprk_matter", "sprk_project"], top: 2 }),
    ),
  );
  const suggested = [...numbered.flat(), ...(await names.of(alike))];
  return {
    recent: await names.of(saves),
    suggested: unique(suggested).slice(0, SHOWN),
    filed: await findFiled(needs, names, hints.internetMessageId),
  };
}

function isAlike(mail: OfficeSaveRow["facts"]["mail"], hints: MailHints): boolean {
  if (mail === null) return false;
  const isSameThread = mail.conversationId !== null && mail.conversationId === hints.conversationId;
  return (
    isSameThread || (mail.from !== null && mail.from.toLowerCase() === hints.sender?.toLowerCase())
  );
}

/** Documents made of this message that the caller may read. */
async function findFiled(
  { database, dataverse }: { readonly database: Queryable; readonly dataverse: DataverseClient },
  names: ReturnType<typeof createNames>,
  internetMessageId: string | undefined,
): Promise<FiledDocument[]> {
  if (internetMessageId === undefined) return [];
  const saves = await findSavesOfMessage(database, internetMessageId, SHOWN);
  const filed = await Promise.all(
    saves.map(async (save): Promise<FiledDocument | null> => {
      const [main] = partsOf(save.id, save.facts);
      const record = await getRecord(dataverse, main!.filingId);
      const [target] = record === null ? [] : await names.of([save]);
      if (record === null || target === undefined) return null;
      return {
        documentId: main!.filingId,
        name: save.facts.main.name,
        webUrl: record.sprk_filepath,
        target,
        savedAt: save.createdAt.toISOString(),
      };
    }),
  );
  return filed.filter((each) => each !== null);
}

/** Reads each row once, as the caller; a row that they can no longer see is left out. */
function createNames(dataverse: DataverseClient) {
  const known = new Map<string, Promise<FoundTarget | null>>();
  const read = async (target: Target): Promise<FoundTarget | null> => {
    try {
      const name = await loadTargetName(dataverse, target);
      return { entityType: target.table, id: target.id, name, info: null };
    } catch (error) {
      if (error instanceof OfficeRefusal) return null;
      throw error;
    }
  };
  return {
    async of(saves: readonly OfficeSaveRow[]): Promise<FoundTarget[]> {
      const targets = new Map(
        saves.map(({ facts }) => [`${facts.target.table}:${facts.target.id}`, facts.target]),
      );
      const lookups = [...targets].slice(0, SHOWN).map(([key, target]) => {
        const asked = known.get(key) ?? read(target);
        known.set(key, asked);
        return asked;
      });
      return (await Promise.all(lookups)).filter((each) => each !== null);
    },
  };
}

function unique(targets: readonly FoundTarget[]): FoundTarget[] {
  return [...new Map(targets.map((each) => [`${each.entityType}:${each.id}`, each])).values()];
}
