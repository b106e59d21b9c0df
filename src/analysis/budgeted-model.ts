/** The model on behalf of a person: refused once the day's budget is spent; every call is recorded. */
import { Fault } from "../lib/fault.ts";
import type { EmbeddingMeter } from "../models/embedder.ts";
import type { Model, ModelAnswer, Question } from "../models/model.ts";
import type { Database } from "../store/database.ts";
import { addUsage, usedToday } from "./usage-table.ts";

export interface PersonalModel {
  readonly name: string;
  /** One answer as JSON. */
  ask(personId: string, question: Question, signal?: AbortSignal): Promise<ModelAnswer>;
  /** Text piece by piece. */
  write(
    personId: string,
    prompt: Pick<Question, "instructions" | "data">,
    onText: (text: string) => void,
    signal?: AbortSignal,
  ): Promise<ModelAnswer>;
}

/** A call that ends early reports no tokens, but they were spent. */
const LETTERS_PER_TOKEN = 4;
const estimate = (length: number): number => Math.ceil(length / LETTERS_PER_TOKEN);

interface Budget {
  readonly database: Database;
  readonly tokensPerDay: number;
}

async function assertLeft({ database, tokensPerDay }: Budget, personId: string): Promise<void> {
  if ((await usedToday(database, personId)) >= tokensPerDay)
    throw new Fault("model.over-budget", "you have used up your budget of model tokens for today");
}

/** Whose use the texts of documents are. It has no limit: without it new documents would not be found by meaning. */
const INDEX = "index";

/** Embeddings of what a person asks count against the person's budget, like all other calls. */
export function createEmbeddingMeter(model: string, needs: Budget): EmbeddingMeter {
  return {
    async assertLeft(personId) {
      if (personId !== undefined) await assertLeft(needs, personId);
    },
    record: (personId = INDEX, promptTokens, hasFailed) =>
      addUsage(needs.database, { personId, model, hasFailed, promptTokens, completionTokens: 0 }),
  };
}

export function createPersonalModel(model: Model, needs: Budget): PersonalModel {
  const { database } = needs;
  const recorded = async (
    personId: string,
    prompt: Pick<Question, "instructions" | "data">,
    writtenLength: () => number,
    call: () => Promise<ModelAnswer>,
  ): Promise<ModelAnswer> => {
    await assertLeft(needs, personId);
    const record = (tokens: ModelAnswer["tokens"], hasFailed: boolean) =>
      addUsage(database, {
        personId,
        model: model.name,
        hasFailed,
        promptTokens: tokens.prompt,
        completionTokens: tokens.completion,
      });
    try {
      const answer = await call();
      await record(answer.tokens, false);
      return answer;
    } catch (error) {
      const isDown = error instanceof Fault && error.code === "model.unavailable";
      const wasRead = !isDown || writtenLength() > 0;
      const length = prompt.instructions.length + prompt.data.length;
      await record(
        { prompt: wasRead ? estimate(length) : 0, completion: estimate(writtenLength()) },
        true,
      );
      throw error;
    }
  };
  return {
    name: model.name,
    ask: (personId, question, signal) =>
      recorded(
        personId,
        question,
        () => 0,
        () => model.json(question, signal),
      ),
    write(personId, prompt, onText, signal) {
      let length = 0;
      const count = (text: string) => {
        length += text.length;
        onText(text);
      };
      return recorded(
        personId,
        prompt,
        () => length,
        () => model.stream(prompt, count, signal),
      );
    },
  };
}
