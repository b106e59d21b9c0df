import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Started last, one of these would leave the other workers idle until it ends.
 */
const SLOWEST = [
  "test/console/console.test.ts",
  "test/kill/storms.test.ts",
  "test/console/search.test.ts",
  "test/simulation/convergence-odd.test.ts",
  "test/simulation/convergence-even.test.ts",
  "test/kill/intake-kill.test.ts",
  "test/walks/packed.test.ts",
  "test/walks/up.test.ts",
  "test/documents/kill-points.test.ts",
  "test/extract-corpus.test.ts",
  "test/office/kill.test.ts",
  "test/watching/month.test.ts",
  "test/poison-pdfs.test.ts",
  "test/jobs/service-bus-kills.test.ts",
  "test/jobs/postgres-kills.test.ts",
  "test/jobs/redis-kills.test.ts",
  "test/jobs/service-bus-engine.test.ts",
  "test/ingest/kill-points.test.ts",
  "test/claims/kill.test.ts",
  "test/ingest/blocked-worker.test.ts",
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = SLOWEST.findIndex((name) => moduleId.endsWith(name));
      return found === -1 ? SLOWEST.length : found;
    };
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}
