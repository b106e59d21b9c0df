/**
 * The model on behalf of a person: refused once the day's budget is spent; every call is recorded. What the question costs
 * is taken before the call and corrected by what the model reports.
 */
import { Fault } from "../lib/fault.ts";
import type { EmbeddingMeter } from "../models/embedder.ts";
import type { Model, ModelAnswer, Question } from "../models/model.ts";
import type { Database } from "../store/database.ts";
import { addUsage, correctUsage, takeFromBudget, usedToday } from "./usage-table.ts";

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

/** A call that ends early reports no tokens, nor do some endpoints, but they were spent. */
const LETTERS_PER_TOKEN = 4;
const estimate = (length: number): number => Math.ceil(length / LETTERS_PER_TOKEN);

interface Budget {
  readonly database: Database;
  readonly tokensPerDay: number;
}

const overBudget = () =>
  new Fault("model.over-budget", "you have used up your budget of model tokens for today");

async function assertLeft({ database, tokensPerDay }: Budget, personId: string): Promise<void> {
  if ((await usedToday(database, personId)) >= tokensPerDay) throw overBudget();
}

/** Whose use the texts of documents are. It has no limit: without it new documents would not be found by meaning. */
const INDEX = "index";

/** Embeddings of what a person asks count against the person's budget, like all other calls. */
export function createEmbeddingMeter(model: string, needs: Budget): EmbeddingMeter {
  return {
    async assertLeft(personId) {
      if (personId !== undefined) await assertLeft(needs, personId);
    },
    async record(personId = INDEX, { tokens, hasFailed }) {
      const used = { personId, model, hasFailed, promptTokens: tokens, completionTokens: 0 };
      await addUsage(needs.database, used);
    },
  };
}

export function createPersonalModel(model: Model, needs: Budget): PersonalModel {
  const { database, tokensPerDay } = needs;
  const recorded = async (
    personId: string,
    { instructions, data }: Pick<Question, "instructions" | "data">,
    writtenLength: () => number,
    call: () => Promise<ModelAnswer>,
  ): Promise<ModelAnswer> => {
    const taken = estimate(instructions.length + data.length);
    const usage = { personId, model: model.name };
    const day = await database.transaction((tx) =>
      takeFromBudget(tx, { ...usage, promptTokens: taken }, tokensPerDay),
    );
    if (day === null) throw overBudget();
    const correct = (
      { prompt, completion }: ModelAnswer["tokens"],
      { hasFailed }: { readonly hasFailed: boolean },
    ) =>
      correctUsage(database, day, {
        ...usage,
        hasFailed,
        promptTokens: prompt - taken,
        completionTokens: completion,
      });
    try {
      const answer = await call();
      const tokens = {
        prompt: answer.tokens.prompt || taken,
        completion: answer.tokens.completion || estimate(answer.content.length),
      };
      await correct(tokens, { hasFailed: false });
      return { ...answer, tokens };
    } catch (error) {
      const isDown = error instanceof Fault && error.code === "model.unavailable";
      const wasRead = !isDown || writtenLength() > 0;
      const completion = estimate(writtenLength());
      await correct({ prompt: wasRead ? taken : 0, completion }, { hasFailed: true });
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
