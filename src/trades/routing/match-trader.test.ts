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

describe("a trade belongs", () => {
  it("to the sender, if the sender is known or writes from our domain [TRD-07] [X-06]", () => {
    expect(match({ sender: "LdeBurna@firm.example" })).toMatchObject({
      username: "ldeburna",
      score: 1,
    });
    expect(match({ sender: "new.one@FIRM.example" })).toMatchObject({
      username: "new.one",
      score: 0.95,
    });
  });

  it("to the holder, if we know the name [X-06]", () => {
    expect(match({ holder: "Mrs Laura de Burna" })).toMatchObject({
      username: "ldeburna",
      score: 1,
    });
    expect(match({ holder: "DE BURNA, Laura" })).toMatchObject({ username: "ldeburna", score: 1 });
    expect(match({ holder: "J Smith" })).toMatchObject({ username: "jsmith", method: "name" });
    expect(match({ holder: "J Smith" }).score).toBeCloseTo(0.88);
    expect(match({ holder: "Peter Jones" }).score).toBe(0);
  });

  it("to nobody, if two names fit equally well: nothing is guessed [X-06]", () => {
    const twins = [...traders, { username: "jane", email: null, name: "Jane Smith" }];
    const answer = match({ holder: "J. Smith", traders: twins });
    expect(answer).toMatchObject({ score: 0, method: "none" });
    expect(answer.reason).toContain("match the holder equally well");
    expect(match({ holder: "John Smith", traders: twins })).toMatchObject({
      username: "jsmith",
      score: 1,
    });
  });

  it("to the sender, if we know neither traders nor domains", () => {
    expect(match({ traders: [], domains: [] })).toMatchObject({
      username: "notes",
      score: 0.8,
      method: "sender",
    });
  });

  it("to nobody, if a stranger sends a document without a holder, or with a holder we do not know [X-02]", () => {
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

  it("to the holder whatever the accents, titles and order of the name, even with a typo in the surname", () => {
    expect(nameScore("José Muñoz", "MUNOZ Jose")).toBe(1);
    expect(nameScore("Dr. Anna Schmidt", "Anna Schmitt")).toBeGreaterThan(0.8);
    expect(nameScore("Anna Schmidt", "Anna Wagner")).toBe(0);
    expect(nameScore("", "Anna")).toBe(0);
  });
});
