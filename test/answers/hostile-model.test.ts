/** A model's endpoint, or a document that speaks through it, tries to put words into an answer. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AnalysisScene, anAnalysisScene } from "./analysis-scene.ts";
import { completion, type ModelServer, sendJson } from "./model-server.ts";

let scene: AnalysisScene;
const QUESTION = "How much is the monthly rent?";

beforeAll(async () => {
  scene = await anAnalysisScene();
});
beforeEach(() => scene.reset());

type Play = ModelServer["answer"];

const write = (answer: unknown): Play => {
  const content = typeof answer === "string" ? answer : JSON.stringify(answer);
  return (response) => sendJson(response, completion(content));
};
const cited = { passage: 1, words: "monthly rent is 4,200 euros" };
const claim = (answer: string, citations: object[] = [cited]): Play =>
  write({ answered: true, answer, citations });

describe("an answer is replaced by quotes if the model", () => {
  it.each<[string, Play]>([
    ["writes no JSON", write("The rent is 4,200 euros.")],
    ["writes another format", write({ answered: "yes", answer: "4,200", citations: [cited] })],
    ["adds keys", write({ answered: true, answer: "4,200", citations: [cited], tool: "pay" })],
    ["adds keys to a citation", claim("4,200", [{ ...cited, url: "http://evil.example" }])],
    ["cites words of its own", claim("It is 4,200.", [{ passage: 1, words: "rent was waived" }])],
    ["cites a passage that it was not given", claim("It is 4,200.", [{ ...cited, passage: 9 }])],
    ["cites words that stand everywhere", claim("It is waived.", [{ passage: 1, words: "the" }])],
    ["invents a figure", claim("The rent is 9,999 euros.")],
    ["moves the decimal point", claim("The rent is 42.00 euros.")],
    ["invents a single digit", claim("The rent is 4,200 euros and rises by 7 % a year.")],
    ["writes a figure in other digits", claim("The rent is ９９９９ or ٩٩٩٩ euros.")],
    ["parts a figure by invisible signs", claim("The rent is 9\u200b9\u200b9 euros.")],
    [
      "calls a tool",
      (response) =>
        sendJson(response, {
          choices: [
            {
              index: 0,
              finish_reason: "tool_calls",
              message: {
                role: "assistant",
                content: null,
                tool_calls: [
                  { id: "1", type: "function", function: { name: "pay", arguments: "{}" } },
                ],
              },
            },
          ],
        }),
    ],
    ["sends no choice", (response) => sendJson(response, {})],
    ["sends a page", (response) => void response.end("<html>")],
  ])("%s [S62] [S63]", async (_, play) => {
    scene.model.answer = play;
    const answer = await scene.ask(scene.nina, QUESTION);
    expect(answer).toMatchObject({ status: 200, kind: "quotes", degraded: expect.any(String) });
    expect(answer.answer).toContain("4,200");
    expect(answer.answer).not.toMatch(/9,999|42\.00|waived|7 %|９|٩|pay/);
  });

  it("repeats a figure of the question that no document contains [S62]", async () => {
    scene.model.answer = claim("Yes, the monthly rent is 8,750 euros.");
    const answer = await scene.ask(scene.nina, `${QUESTION} Is it 8,750 euros?`);
    expect(answer).toMatchObject({ kind: "quotes", degraded: expect.stringContaining("figure") });
    expect(answer.answer).not.toContain("8,750");
  });

  it("answers without an end, however fast it writes", async () => {
    let sent = 0;
    scene.model.answer = (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const piece = Buffer.alloc(2 ** 20, " ");
      const more = () => {
        while (!response.destroyed && response.write(piece)) sent += 1;
      };
      response.on("drain", more);
      more();
    };
    const answer = await scene.ask(scene.nina, QUESTION);
    expect(answer).toMatchObject({ kind: "quotes", degraded: expect.any(String) });
    expect(sent).toBeLessThan(200);
  });

  it("sends the question on to another server, which is not asked", async () => {
    const reached: string[] = [];
    const server = createServer((request, response) => {
      reached.push(request.url!);
      response.end();
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    afterAll(() => void server.close());
    const location = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    for (const status of [302, 307, 308]) {
      scene.model.answer = (response) => response.writeHead(status, { location }).end();
      expect(await scene.ask(scene.nina, QUESTION)).toMatchObject({ kind: "quotes" });
    }
    expect(reached).toEqual([]);
  });
});

it("a stream that never ends is given up, however regularly its pieces arrive [S63]", async () => {
  const dropped = scene.model.dropped();
  scene.model.answer = (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const drip = setInterval(() => {
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {} }] })}\n\n`);
      scene.clock.skip(30_000);
    }, 20);
    response.on("close", () => clearInterval(drip));
  };
  const answer = await scene.execute(scene.nina, {
    ...{ documentIds: [scene.own], playbookId: "contract-key-terms" },
  });
  expect(answer.events().at(-1)).toMatchObject({ type: "error", done: true });
  expect(await scene.analysis()).toMatchObject({ state: "degraded", error: "model.unavailable" });
  expect(scene.model.dropped()).toBe(dropped + 1);
});

it("text that a model hides from readers is not shown, and no link [S62]", async () => {
  scene.model.answer = claim(
    "The rent is 4,200 euros.\u202e \u{e0073}\u{e0065}\u{e0063} h\u200bttps://evil.example",
  );
  const { answer, kind } = await scene.ask(scene.nina, QUESTION);
  expect(kind).toBe("model");
  expect(answer).not.toMatch(/\p{Cf}|:\/\//u);
});
