import { expect, it } from "vitest";
import { causeOf, generalise } from "./cause.ts";

it("details that differ from job to job do not change the cause", () => {
  const texts = [
    'GET /users/nina@ashdown.example/messages/AAMkAGI2TG93AAA= gave 503 after 1,200 ms for "Re: note"',
    'GET /users/omar@ashdown.example/messages/AAMkXYZ9911ZZZQ= gave 503 after 87 ms for "Trade"',
  ];
  expect(causeOf("mail", "graph.unavailable", texts[0]!)).toBe(
    causeOf("mail", "graph.unavailable", texts[1]!),
  );
});

it("another type, code or wording changes the cause", () => {
  const causes = [
    causeOf("a", "x", "it broke"),
    causeOf("b", "x", "it broke"),
    causeOf("a", "y", "it broke"),
    causeOf("a", "x", "it bent"),
  ];
  expect(new Set(causes).size).toBe(4);
});

it("the pattern of a cause keeps the words of the message", () => {
  const text = "job 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60 died at https://x.example/y?z=1";
  expect(generalise(text)).toBe("job <id> died at <url>");
});
