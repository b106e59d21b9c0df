import { Command } from "commander";
import { answerOf } from "../../client/index.ts";
import { type ApiClient, rowsOf, withApi } from "../base/client.ts";
import { readGivenText } from "../base/given-file.ts";
import { count, createOutput, type Output, plain } from "../base/output.ts";

export function peopleCommand(output: Output = createOutput()): Command {
  const people = new Command("people").description(
    "manage known people: those whose trades may be booked",
  );
  people
    .command("list")
    .description("list known people and where they are known from")
    .option("--json", "print one JSON object per line")
    .action((options: { json?: boolean }) => withApi((api) => listPeople(api, options, output)));
  people
    .command("import <file>")
    .description("import people from a CSV file; it replaces the people imported before")
    .option("--dry-run", "check the file without writing anything")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nColumns: email, name, and any of username, accounts (separated by semicolons).\n" +
        "\nExample:\n  postroom people import people.csv --dry-run",
    )
    .action((file: string, options: { dryRun?: boolean; json?: boolean }) =>
      withApi((api) => importPeople(api, file, options, output)),
    );
  return people;
}

async function listPeople(
  api: ApiClient,
  options: { json?: boolean },
  output: Output,
): Promise<void> {
  const people = await rowsOf(
    (cursor) => answerOf(api.client.GET("/api/people", { params: { query: { cursor } } })),
    (page) => page.people,
  );
  if (options.json) for (const person of people) output.json(person);
  else if (people.length === 0)
    output.note("nobody is known yet; import people with postroom people import FILE.csv");
  else {
    output.table(
      ["user", "email", "[name]", "[accounts]", "from"],
      people.map((person) => [
        plain(person.username),
        plain(person.email),
        plain(person.name),
        plain(person.accounts.join(" ")),
        person.source,
      ]),
    );
  }
}

async function importPeople(
  api: ApiClient,
  file: string,
  options: { dryRun?: boolean; json?: boolean },
  output: Output,
): Promise<void> {
  const dryRun = options.dryRun ?? false;
  const csv = await readGivenText(file);
  const answer = await answerOf(api.client.POST("/api/people/import", { body: { csv, dryRun } }));
  if (options.json) output.json(answer);
  else
    output.line(
      `${count(answer.people, "person", "people")} ${dryRun ? "could be imported" : "imported"}`,
    );
}
