/** A server with a model's endpoint that does what a test tells it to, and two documents of different readers. */
import { setTimeout as delay } from "node:timers/promises";
import type { AnalysisEvent } from "../../src/flows/specs/analysis.ts";
import type { Person } from "../documents/scene.ts";
import { until } from "../helpers/app.ts";
import {
  aModelServer,
  completion,
  type ModelServer,
  sendJson,
  sendPieces,
} from "./model-server.ts";
import { type AnswerScene, anAnswerScene } from "./scene.ts";
import { aSkippingClock } from "./skipping-clock.ts";

export const LEASE =
  "Lease of the Lyon office. The monthly rent is 4,200 euros. Notice of termination: six months. Tenant: Rhône Conseil SAS.";
export const SECRET = "CANARY-7731";

export const PROFILE_ANSWER = {
  summary: "The monthly rent of the Lyon office is 4,200 euros.",
  tldr: "A lease for 4,200 euros a month.",
  keywords: ["lease", "rent"],
  kind: "Contract",
  parties: ["Rhône Conseil SAS", "Nobody Ltd"],
  people: [],
  dates: [],
  amounts: ["4,200 euros"],
  references: [],
};

export interface AnalysisScene extends AnswerScene {
  readonly model: ModelServer;
  readonly clock: ReturnType<typeof aSkippingClock>;
  /** Nina may read it. */
  readonly own: string;
  /** Only Omar may read it. */
  readonly others: string;
  /** Forgets analyses and usage, and makes the model answer well again, as `recover` does. */
  reset(): Promise<void>;
  recover(): void;
  post(person: Person | null, path: string, body?: object): Promise<Answer>;
  execute(person: Person | null, body: object): Promise<Answer>;
  /** Lets so much time pass that a silent model counts as gone, once it has been asked. */
  outlast<T>(call: Promise<T>): Promise<T>;
  /** The row of the only analysis. */
  analysis(): Promise<Record<string, unknown> | undefined>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  json(): Record<string, any>;
  events(): AnalysisEvent[];
}

export async function anAnalysisScene(
  settings: Record<string, string> = {},
): Promise<AnalysisScene> {
  const model = await aModelServer();
  const clock = aSkippingClock();
  const scene = await anAnswerScene({
    app: { clock },
    settings: {
      MODEL_BASE_URL: model.url,
      MODEL_API_KEY: "a-key-for-tests",
      MODEL_NAME: "test-model",
      MODEL_TIMEOUT_SECONDS: "60",
      MODEL_TOKENS_PER_DAY: "100000",
      Analysis__MultiDocumentEnabled: "true",
      ...settings,
    },
  });
  const own = await scene.aDocument("lease.txt", LEASE, [scene.nina, scene.priya]);
  const others = await scene.aDocument("secret.txt", `The code word is ${SECRET}.`, [scene.omar]);
  await scene.follow();
  const post: AnalysisScene["post"] = async (person, url, payload = {}) => {
    // One request a minute, so that the limits are met only where a test wants them.
    clock.skip(61_000);
    const headers = person?.headers ?? { authorization: `Bearer ${scene.app.operatorKey}` };
    const {
      statusCode,
      headers: given,
      body,
      rawPayload,
      json,
    } = await scene.app.server.inject({
      ...{ method: "POST", url, headers, payload },
    });
    return {
      ...{ status: statusCode, headers: given, body, bytes: rawPayload, json },
      events: () =>
        body
          .split("\n\n")
          .filter((block) => block !== "")
          .map((block) => JSON.parse(block.replace(/^data: /, "")) as AnalysisEvent),
    };
  };
  const recover = () => {
    model.answer = (response, { stream }) =>
      stream
        ? sendPieces(response, ["The rent ", "is 4,200 euros."], "stop")
        : sendJson(response, completion(JSON.stringify(PROFILE_ANSWER)));
  };
  return {
    ...{ ...scene, model, clock, own, others, post, recover },
    async reset() {
      model.asked.length = 0;
      recover();
      await scene.app.database.query("DELETE FROM postroom.model_usage");
      await scene.app.database.query("DELETE FROM postroom.analysis");
    },
    execute: (person, body) => post(person, "/api/ai/analysis/execute", body),
    async outlast(call) {
      await until("the model to be asked", async () => model.asked.length > 0);
      let isSettled = false;
      const settle = () => {
        isSettled = true;
      };
      call.then(settle, settle);
      // The model counts as silent from its last piece, which may arrive after a skip; then only the next one outlasts it.
      while (!isSettled) {
        clock.skip(121_000);
        await Promise.race([call.catch(() => undefined), delay(1_000)]);
      }
      return call;
    },
    async analysis() {
      const { rows } = await scene.app.database.query("SELECT * FROM postroom.analysis");
      return rows[0];
    },
  };
}
