/** Signs in, then shows what is open and where it can be saved. */
import { useEffect, useState } from "react";
import { Choose } from "./choose.tsx";
import type { OfficeJs } from "./office/office.ts";
import { type OpenItem, readItem } from "./read-item.ts";
import { createServer, type GetToken, type Server } from "./server.ts";
import { Share } from "./share.tsx";
import { type SignInSettings, signInAs, signInWithEntra } from "./sign-in.ts";
import type { Words } from "./words.ts";

export interface PaneProps {
  readonly office: OfficeJs;
  readonly settings: SignInSettings;
  readonly words: Words;
}

export function Pane({ office, settings, words }: PaneProps) {
  const [server, setServer] = useState<Server | null>(null);
  const [open, setOpen] = useState<OpenItem | null>(null);

  useEffect(() => {
    const read = () => void readItem(office).then(setOpen);
    read();
    // A pinned pane stays when another message is opened.
    office.context.mailbox?.addHandlerAsync("olkItemSelectedChanged", read);
  }, [office]);

  return (
    <>
      <h1>{words.title}</h1>
      {server === null ? (
        <SignIn
          {...{ office, settings, words }}
          onToken={(getToken) => setServer(createServer(getToken))}
        />
      ) : open === null ? (
        <p>{words.nothingOpen}</p>
      ) : (
        <>
          <Choose key={keyOf(open)} {...{ office, server, open, words }} />
          {open.kind === "mail" && open.isDraft && <Share {...{ office, server, words }} />}
        </>
      )}
    </>
  );
}

const keyOf = (open: OpenItem): string =>
  open.kind === "mail" ? `${open.internetMessageId} ${open.subject}` : open.fileName;

function SignIn({
  office,
  settings,
  words,
  onToken,
}: PaneProps & { readonly onToken: (getToken: GetToken) => void }) {
  const [problem, setProblem] = useState<string | null>(null);
  const enter = async (begin: () => Promise<GetToken>) => {
    setProblem(null);
    try {
      const getToken = await begin();
      await getToken();
      onToken(getToken);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const { signIn, people, isDemo } = settings;
  const isNested = !isDemo && office.context.requirements.isSetSupported("NestedAppAuth", "1.1");
  return (
    <section aria-label={words.signIn}>
      <p>{words.signInWhy}</p>
      {people.map((person) => (
        <button key={person.id} type="button" onClick={() => enter(async () => signInAs(person))}>
          {words.signInAs} {person.name}
        </button>
      ))}
      {!isDemo && signIn !== null && (
        <button
          className="primary"
          type="button"
          onClick={() => enter(() => signInWithEntra(signIn, isNested))}
        >
          {words.signIn}
        </button>
      )}
      {problem !== null && <p role="alert">{problem}</p>}
    </section>
  );
}
