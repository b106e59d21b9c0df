import { expect } from "vitest";

/** Nothing of a program's inside reaches a person. */
export function expectWords(text: string): void {
  expect(text).not.toMatch(
    /\n\s+at |Invalid input|expected \w+, received|ZodError|undefined|\[object/,
  );
  expect(text).not.toMatch(/ECONN|ENOENT|SyntaxError|TypeError|JSON at position/);
}
