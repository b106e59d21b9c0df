import { describe, expect, it } from "vitest";
import { matchTrader, nameScore } from "./match-trader.ts";

const traders = [
  { username: "ldeburna", email: "ldeburna@firm.example", name: "Laura de Burna" },
  { username: "jsmith", email: null, name: "John Smith" },
];
interface Given {
  sender?: string;
  holder?: string | null;
  traders?: typeof traders;
  domains?: string[];
}
const match = (given: Given) =>
  matchTrader({
    senderEmail: given.sender ?? "notes@broker.example",
    firmDomains: given.domains ?? ["Firm.example"],
    holder: given.holder ?? null,
    traders: given.traders ?? traders,
  });

describe("whose trade it is", () => {
  it("the sender's, when the sender is known or writes from our domain [TRD-07] [X-06]", () => {
    expect(match({ sender: "LdeBurna@firm.example" })).toMatchObject({
      username: "ldeburna",
      score: 1,
    });
    expect(match({ sender: "new.one@FIRM.example" })).toMatchObject({
      username: "new.one",
      score: 0.95,
    });
  });

  it("the holder's, when the name is one of ours [X-06]", () => {
    expect(match({ holder: "Mrs Laura de Burna" })).toMatchObject({
      username: "ldeburna",
      score: 1,
    });
    expect(match({ holder: "DE BURNA, Laura" })).toMatchObject({ username: "ldeburna", score: 1 });
    expect(match({ holder: "J Smith" })).toMatchObject({ username: "jsmith", method: "name" });
    expect(match({ holder: "J Smith" }).score).toBeCloseTo(0.88);
    expect(match({ holder: "Peter Jones" }).score).toBe(0);
  });

  it("nobody's, when two names fit alike: never a guess [X-06]", () => {
    const twins = [...traders, { username: "jane", email: null, name: "Jane Smith" }];
    const answer = match({ holder: "J. Smith", traders: twins });
    expect(answer).toMatchObject({ score: 0, method: "none" });
    expect(answer.reason).toContain("match the holder equally well");
    expect(match({ holder: "John Smith", traders: twins })).toMatchObject({
      username: "jsmith",
      score: 1,
    });
  });

  it("the sender's, when neither traders nor domains of ours are known", () => {
    expect(match({ traders: [], domains: [] })).toMatchObject({
      username: "notes",
      score: 0.8,
      method: "sender",
    });
  });

  it("nobody's, when a stranger sends a document that names no holder, or one that we do not know [X-02]", () => {
    for (const given of [{}, { traders: [] }]) {
      expect(match(given)).toMatchObject({
        score: 0,
        method: "none",
        reason: "notes@broker.example is not known, and the document names no holder",
      });
    }
    expect(match({ holder: "Peter Jones" }).reason).toBe(
      "neither notes@broker.example nor the holder Peter Jones is known",
    );
  });

  it("names are compared without accents, titles and order, and a slip in the surname is forgiven", () => {
    expect(nameScore("José Muñoz", "MUNOZ Jose")).toBe(1);
    expect(nameScore("Dr. Anna Schmidt", "Anna Schmitt")).toBeGreaterThan(0.8);
    expect(nameScore("Anna Schmidt", "Anna Wagner")).toBe(0);
    expect(nameScore("", "Anna")).toBe(0);
  });
});
