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

  it("is read no further than a piece beyond the announced length", async () => {
    let read = 0;
    async function* endless() {
      while (read < 1_000) {
        read += 1;
        yield Buffer.from("four");
      }
    }
    await expect(bytesOf(contentOfStream(endless(), 8))).rejects.toThrow("the announced length");
    expect(read).toBe(3);
  });
});
