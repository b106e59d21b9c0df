import { describe, expect, it } from "vitest";
import { libraryDocument } from "../../tenant/content/library/library.ts";
import { describeProfile, extractProfile } from "./extractive-profile.ts";

const LEASE = `Lease of the premises at 4 Foundry Road, Leeds
Marshbrook Ltd and Bramfield Ltd sign this paper in Dundee.

Journal
${Array.from({ length: 9 }, (_, day) => `On ${day + 10} May 2024 the accounts department checked the entries and found the floor wet.`).join(" ")}

Termination
Bramfield Ltd may terminate by giving
notice of 6 months to the end of a quarter. The key is with Ms Alice Ford.

Rent
The rent of 3,100 pounds is due on 1 April. Alice Ford keeps the receipts.

Journal
${Array.from({ length: 9 }, (_, day) => `On ${day + 10} June 2024 the accounts department checked the entries and praised the archive.`).join(" ")}`;

describe("a profile without a model", () => {
  it("says what a contract turns on, not what fills most of its pages", () => {
    const { summary, tldr, kind, keywords, terms } = extractProfile(LEASE);
    expect(kind).toBe("Contract");
    expect(tldr).toBe(
      "Lease of the premises at 4 Foundry Road, Leeds. Marshbrook Ltd and Bramfield Ltd sign this paper in Dundee.",
    );
    expect(summary).toContain("notice of 6 months");
    expect(summary).toContain("rent of 3,100 pounds");
    expect(summary.match(/accounts department/g)?.length ?? 0).toBeLessThan(2);
    expect(keywords.slice(0, 2)).toEqual(["Termination", "Rent"]);
    expect(keywords).not.toContain("accounts");
    expect(terms).toContain("Rent: The rent of 3,100 pounds is due on 1 April.");
  });

  it("names the dates and amounts of its summary before all others", () => {
    const { dates, amounts } = extractProfile(LEASE);
    expect(dates[0]).toBe("1 April");
    expect(amounts).toEqual(["3,100 pounds"]);
  });

  it("tells two firms apart that are joined by a word, and knows people by their names", () => {
    const { parties, people } = extractProfile(LEASE);
    expect(parties).toEqual(["Bramfield Ltd", "Marshbrook Ltd"]);
    expect(people).toEqual(["Alice Ford"]);
  });

  it.each([
    ["600 000 euros", "Le prix est de 600 000 euros par an."],
    ["1.250,50 EUR", "Der Preis beträgt 1.250,50 EUR im Jahr."],
    ["£4,200", "The price is £4,200 a year."],
    ["CHF 1'200.00", "The price is CHF 1'200.00 a year."],
  ])("reads %s as one amount", (amount, text) => {
    expect(extractProfile(text).amounts).toEqual([amount]);
  });

  it("of a mail begins with its subject, and says what is asked", () => {
    const { tldr, summary, kind } = extractProfile(
      "Subject: Draft of the lease\nFrom: Ann <ann@law.example>\nDate: 2026-02-01\n\nDear Omar,\nthe weather was fine in Leeds and everybody was in a good mood.\nPlease send me the signed copy until Friday.",
    );
    expect(kind).toBe("Email");
    expect(tldr).toMatch(/^Draft of the lease\. /);
    expect(summary).toContain("Please send me the signed copy until Friday.");
    expect(summary).not.toContain("ann@law.example");
  });

  it.each(["en", "de", "fr", "es"])(
    "of each sample contract in %s that ends or costs something says so in its summary",
    (language) => {
      const documents = Array.from({ length: 60 }, (_, number) =>
        libraryDocument("postroom", number),
      );
      const own = documents.filter((each) => each.language === language);
      for (const { sections } of own) {
        const text = sections.map(({ heading, text }) => `${heading}\n${text}`).join("\n\n");
        const { summary, kind } = extractProfile(text);
        const notice = sections.find(({ fact }) => fact?.topic === "notice")?.fact?.sentence;
        expect(kind).toBe("Contract");
        if (notice !== undefined) expect(summary).toContain(notice);
      }
    },
  );

  it("is written with its terms one below the other", () => {
    expect(describeProfile(extractProfile(LEASE), ["parties", "terms"])).toMatch(
      /^Parties: Bramfield Ltd; Marshbrook Ltd\n\nTerms: \n- .*\n- /s,
    );
  });

  it("of nothing is empty", () => {
    expect(extractProfile("")).toMatchObject({
      summary: "",
      tldr: "",
      keywords: [],
      kind: "Other",
    });
  });
});
