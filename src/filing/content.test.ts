import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { bytesOf, contentOfStream } from "./content.ts";

const streamed = (text: string, size: number) =>
  bytesOf(contentOfStream(Readable.from([Buffer.from(text)]), size));

describe("a file that arrives as a stream", () => {
  it("has the announced length", async () => {
    expect((await streamed("four", 4)).toString()).toBe("four");
  });

  it.each([
    ["shorter", 3],
    ["longer", 5],
  ])("is refused if the announcement was %s", async (_, size) => {
    await expect(streamed("four", size)).rejects.toThrow("the announced length");
  });
});
