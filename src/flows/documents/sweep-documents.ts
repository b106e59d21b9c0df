import { sweepSaves } from "../../filing/office/sweep-saves.ts";
import { type SweepNeeds, sweepFilings } from "../../filing/sweep-filings.ts";
import { handle, type JobHandler } from "../../jobs/handler.ts";
import { success } from "../../jobs/outcome.ts";
import { sweepDocuments } from "../specs/documents.ts";

export function sweepDocumentsHandler(needs: SweepNeeds): JobHandler<Record<string, never>> {
  return handle(sweepDocuments, async () => {
    const { finished, forgotten, reported } = await sweepFilings(needs);
    const abandoned = await sweepSaves(needs);
    return success(
      `${finished} finished, ${forgotten + abandoned} forgotten, ${reported} reported`,
    );
  });
}
