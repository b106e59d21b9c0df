import { describe, expect, it } from "vitest";
import { matchTrader, nameScore } from "./match-trader.ts";

const traders = [
  {
    username: "ldeburna",
    email: "ldeburna@firm.example",
    name: "Laura de Burna",
    accounts: ["DE 77-1"],
  },
  { username: "jsmith", email: null, name: "John Smith", accounts: [] },
];
interface Given {
  sender?: string;
  holder?: string | null;
  traders?: typeof traders;
  domains?: string[];
  account?: string;
  isAuthenticated?: boolean;
  isOwnUpload?: boolean;
}
const match = (given: Given) =>
  matchTrader({
    senderEmail: given.sender ?? "notes@broker.example",
    firmDomains: given.domains ?? ["Firm.example"],
    holder: given.holder ?? null,
    account: given.account ?? null,
    isAuthenticated: given.isAuthenticated ?? true,
    isOwnUpload: given.isOwnUpload ?? false,
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

  it("to nobody, if the sender has only the same name before the @ as somebody known", () => {
    const reason = /^ldeburna is ldeburna@firm.example, not ldeburna@/;
    for (const given of [
      { sender: "ldeburna@evil.example", isOwnUpload: true },
      { sender: "ldeburna@second.example", domains: ["firm.example", "second.example"] },
    ])
      expect(match(given)).toMatchObject({ score: 0, reason: expect.stringMatching(reason) });
    expect(match({ sender: "jsmith@second.example", domains: ["second.example"] }).score).toBe(
      0.95,
    );
  });

  it("to nobody, if our domain is not what the sender's address ends with", () => {
    for (const sender of ["new@firm.example@evil.example", '"new@firm.example"@evil.example'])
      expect(match({ sender })).toMatchObject({ score: 0, method: "none" });
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
    const nameless = [{ username: "x", email: null, name: null, accounts: [] }, ...traders];
    expect(match({ holder: "Laura de Burna", traders: nameless as never }).score).toBe(1);
  });

  it("to nobody, if two names fit equally well: nothing is guessed [X-06]", () => {
    const twins = [...traders, { username: "jane", email: null, name: "Jane Smith", accounts: [] }];
    const answer = match({ holder: "J. Smith", traders: twins });
    expect(answer).toMatchObject({ score: 0, method: "none" });
    expect(answer.reason).toContain("match the holder equally well");
    expect(match({ holder: "John Smith", traders: twins })).toMatchObject({
      username: "jsmith",
      score: 1,
    });
  });

  it("to nobody, if we know nobody: a stranger is not the trader because nobody else is [X-02]", () => {
    expect(match({ traders: [], domains: [], holder: "Laura de Burna" }).score).toBe(0);
  });

  it("to the person who uploaded it for themselves", () => {
    const uploaded = { sender: "new@home.example", isOwnUpload: true };
    expect(match(uploaded)).toMatchObject({ username: "new", score: 0.95 });
  });

  it("not to a sender whose address may be forged", () => {
    for (const sender of ["ldeburna@firm.example", "new.one@firm.example"])
      expect(match({ sender, isAuthenticated: false })).toMatchObject({ score: 0, method: "none" });
  });

  it("to the owner of the account, if the document names a holder and one person has the account [X-02]", () => {
    const known = { holder: "L. Burna-Meier", account: "DE771" };
    expect(match(known)).toMatchObject({ username: "ldeburna", score: 1, method: "account" });
    expect(match({ account: "DE771" }).score).toBe(0);
    const shared = [...traders, { ...traders[1]!, accounts: ["DE771"] }];
    expect(match({ ...known, traders: shared as never }).score).toBe(0);
  });

  it("to nobody, if a stranger sends a document without a holder, or with a holder we do not know [X-02]", () => {
    for (const given of [{}, { traders: [] }]) {
      expect(match(given)).toMatchObject({
        score: 0,
        method: "none",
        reason: "notes@broker.example is not a known person, and the document names no holder",
      });
    }
    expect(match({ holder: "Peter Jones" }).reason).toBe(
      "notes@broker.example is not a known person, and the holder Peter Jones is not known",
    );
  });

  it("to the holder whatever the accents, titles and order of the name, even with a typo in the surname", () => {
    expect(nameScore("José Muñoz", "MUNOZ Jose")).toBe(1);
    expect(nameScore("Dr. Anna Schmidt", "Anna Schmitt")).toBeGreaterThan(0.8);
    expect(nameScore("Anna Schmidt", "Anna Wagner")).toBe(0);
    expect(nameScore("", "Anna")).toBe(0);
    expect(nameScore("Herr (John Smith)", "John Smith")).toBe(1);
    expect(nameScore("J. Smith", "John Smith")).toBeCloseTo(0.88);
    for (const other of ["James Smith", "X Smith"])
      expect([other, nameScore(other, "John Smith")]).toEqual([other, expect.closeTo(0.6)]);
  });

  it("to a holder whose forename is only an initial, on either side; an M. may be a title and counts for nothing", () => {
    expect(nameScore("John Smith", "J. Smith")).toBeCloseTo(0.88);
    expect(nameScore("K. Smith", "John Smith")).toBeCloseTo(0.6);
    expect(nameScore("John Smith", "K. Smith")).toBeCloseTo(0.6);
    expect(nameScore("M. Smith", "Mary Smith")).toBeCloseTo(0.6);
    expect(nameScore("M. John Smith", "John Smith")).toBe(1);
  });

  it("to nobody by a name without letters", () => {
    expect(nameScore("Anna", "")).toBe(0);
    expect(nameScore("123", "...")).toBe(0);
  });

  it("to the sender from our domain rather than to a holder who only has the same surname", () => {
    const sent = { sender: "new.one@firm.example", holder: "Peter Smith" };
    expect(match(sent)).toMatchObject({ username: "new.one", method: "email" });
    expect(match({ ...sent, sender: "notes@broker.example" })).toMatchObject({
      ...{ username: "jsmith", method: "name" },
    });
  });

  it("to one person who is listed twice", () => {
    const twice = [...traders, { ...traders[0]!, name: "Laura Burna" }];
    for (const given of [{ account: "DE771" }, {}])
      expect(match({ holder: "Laura de Burna", ...given, traders: twice })).toMatchObject({
        ...{ username: "ldeburna", score: 1 },
      });
    const alone = [traders[0]!, { ...traders[0]! }];
    expect(match({ holder: "Laura de Burna", traders: alone })).toMatchObject({ score: 1 });
  });
});
