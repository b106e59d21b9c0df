import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFrameReader, type Frame, toFrame } from "./frame.ts";

describe("frames between host and child", () => {
  it("arrive unchanged, however the pipe splits them", () => {
    const frame = fc.record({ head: fc.jsonValue(), bytes: fc.uint8Array({ maxLength: 50 }) });
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        (frames, step) => {
          const wire = Buffer.concat(frames.flatMap(({ head, bytes }) => toFrame(head, bytes)));
          const read = createFrameReader(1e6);
          const got: Frame[] = [];
          for (let at = 0; at < wire.length; at += step) {
            const some = read(wire.subarray(at, at + step));
            if (some !== "too-large") got.push(...some);
          }
          const plain = (list: { head: unknown; bytes: Uint8Array }[]) =>
            list.map(({ head, bytes }) => [
              JSON.stringify(head),
              Buffer.from(bytes).toString("hex"),
            ]);
          expect(plain(got)).toEqual(plain(frames));
        },
      ),
    );
  });

  it("are refused as soon as their prefix states a size above the limit", () => {
    const [prefix] = toFrame({}, new Uint8Array(1000));
    expect(createFrameReader(500)(Buffer.from(prefix!.subarray(0, 8)))).toBe("too-large");
  });
});
