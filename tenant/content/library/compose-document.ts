/** The text of one document of the sample library, without regard to the kind of file that carries it. */
import { createRandom, type Random } from "../../random.ts";
import { fillIn, type LibraryLanguage, type Parties, VOCABULARIES } from "./draw-values.ts";
import { TOPICS, type Topic } from "./words/vocabulary.ts";

export interface Section {
  readonly heading: string;
  readonly text: string;
  /** The sentence that states the fact of this section; null in the journal. */
  readonly fact: { readonly topic: Topic; readonly sentence: string } | null;
}

export interface Composition {
  readonly title: string;
  readonly file: string;
  readonly sections: readonly Section[];
}

export interface ComposeRequest {
  readonly seed: string;
  readonly language: LibraryLanguage;
  readonly parties: Parties;
  /** How long the text becomes, approximately. */
  readonly lengthMin: number;
  /** Of a document that is nearly the same as another one: one fact differs, and the title says which copy it is. */
  readonly copy?: number | undefined;
}

export function compose({ seed, language, parties, lengthMin, copy }: ComposeRequest): Composition {
  const words = VOCABULARIES[language];
  const random = createRandom(`library/${seed}`);
  const write = (text: string, from: Random) => fillIn(text, language, parties, from);
  const agreement = random.fork("agreement").pick(words.agreements);
  const title = write(agreement.title, random.fork("title"));
  const chosen = chooseTopics(random.fork("topics"));
  const changed = copy === undefined ? null : chosen[copy % chosen.length];
  const clauses = chosen.map((topic): Section => {
    const from = random.fork(topic === changed ? `${topic}/${copy}` : topic);
    const { heading, facts, more } = words.topics[topic];
    const sentence = write(from.pick(facts), from);
    const rest = shuffled(more, from).map((each) => write(each, from));
    return { heading, text: [sentence, ...rest].join(" "), fact: { topic, sentence } };
  });
  const version = copy === undefined ? "" : ` (${words.versions[copy % words.versions.length]})`;
  const opening: Section = {
    heading: `${title}${version}`,
    text: write(random.fork("opening").pick(words.opening), random.fork("opening-values")),
    fact: null,
  };
  const sections = withJournal(
    [opening, ...clauses],
    lengthMin,
    (from) => {
      const { heading, acts, findings, steps } = words.journal;
      const entry = [from.pick(acts), from.pick(findings)].join(" ");
      return { heading, text: write(`${entry}. ${from.pick(steps)}`, from), fact: null };
    },
    random.fork("journal"),
  );
  return { title: `${title}${version}`, file: agreement.file, sections };
}

function chooseTopics(random: Random): Topic[] {
  return shuffled(TOPICS, random).slice(0, 12 + random.below(7));
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0]!);
}

/** About as long as clauses are; a changed clause must not change the entries around it. */
const CLAUSE_LENGTH = 300;

/** Entries of the journal are between the clauses, so that facts are spread over the whole text. */
function withJournal(
  clauses: readonly Section[],
  lengthMin: number,
  entry: (random: Random) => Section,
  random: Random,
): Section[] {
  const perClause = lengthMin / clauses.length - CLAUSE_LENGTH;
  return clauses.flatMap((clause, index) => {
    const entries: string[] = [];
    let length = 0;
    while (length < perClause) {
      const { text } = entry(random.fork(`${index}/${entries.length}`));
      entries.push(text);
      length += text.length;
    }
    if (entries.length === 0) return [clause];
    return [clause, { ...entry(random.fork("heading")), text: entries.join(" ") }];
  });
}
