/** Signs somebody in: with one click as a sample person, or with Entra. */
import { useEffect, useState } from "react";
import { Button } from "../design/button.tsx";
import { Strip } from "../design/feedback.tsx";
import { Icon } from "../design/icon.tsx";
import { Initials } from "../design/initials.tsx";
import {
  type ConsoleSettings,
  loadSettings,
  rememberedPerson,
  type SamplePerson,
  signInAs,
  signInWithEntra,
} from "./session.ts";

const MAY: Readonly<Record<string, string>> = {
  admin: "Everything, including the tenant",
  operator: "Mailboxes, jobs and dead letters",
  reviewer: "Questions and trades",
  viewer: "Sees everything, changes nothing",
};
const RETRY_MS = 3_000;

export function SignIn({ isOver = false }: { isOver?: boolean }) {
  const { settings, isResuming, failure, run } = useSignIn(isOver);
  if (isResuming) return null;
  return (
    <main
      className={`grid place-items-center p-4 ${isOver ? "fixed inset-0 z-50 bg-[#0d101499]" : "min-h-full"}`}
    >
      <section
        aria-label="Sign in"
        className="w-[min(400px,100%)] overflow-hidden rounded-card border border-border bg-surface shadow-popover"
      >
        <Welcome isOver={isOver} isDemo={settings?.isDemo === true} />
        {failure !== null && <Strip tone="failed">{failure}</Strip>}
        {settings !== null && <Ways settings={settings} run={run} />}
      </section>
    </main>
  );
}

/** Loads the sign-in settings, retrying until the server answers, and continues where the reader was. */
function useSignIn(isOver: boolean) {
  const [settings, setSettings] = useState<ConsoleSettings | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isResuming, setResuming] = useState(true);
  useEffect(() => {
    if (!isOver) document.title = "Sign in · Postroom";
    let timer: ReturnType<typeof setTimeout>;
    const load = () =>
      loadSettings()
        .then(async (loaded) => {
          setFailure(null);
          setSettings(loaded);
          const known = rememberedPerson(loaded);
          if (known !== undefined) await signInAs(known);
        })
        .catch((error: unknown) => {
          setFailure((error as Error).message);
          timer = setTimeout(load, RETRY_MS);
        })
        .finally(() => setResuming(false));
    void load();
    return () => clearTimeout(timer);
  }, [isOver]);
  const run = (work: () => Promise<void>) => {
    setFailure(null);
    work().catch((error: unknown) => setFailure((error as Error).message));
  };
  return { settings, isResuming, failure, run };
}

function Welcome({ isOver, isDemo }: { isOver: boolean; isDemo: boolean }) {
  const text = isOver
    ? "Your sign-in ended. What you typed is still on the page."
    : isDemo
      ? "A demo on the local tenant. Nothing leaves this machine."
      : "With your work account.";
  return (
    <header className="px-6 pb-4 pt-6">
      <Icon name="dead-letters" size={24} className="mb-3 text-accent" />
      <h1 className="text-verdict font-semibold">
        {isOver ? "Sign in again" : "Sign in to Postroom"}
      </h1>
      <p className="text-prose text-text-2">{text}</p>
    </header>
  );
}

function Ways({
  settings,
  run,
}: {
  settings: ConsoleSettings;
  run: (work: () => Promise<void>) => void;
}) {
  if (settings.signIn === null)
    return (
      <Strip tone="attention">
        Nobody can sign in yet. Set TENANT_ID, API_APP_ID and API_CLIENT_SECRET.
      </Strip>
    );
  return (
    <>
      {settings.people.length > 0 && (
        <ul className="border-border border-t py-1">
          {settings.people.map((person) => (
            <li key={person.id}>
              <PersonChoice person={person} onChoose={() => run(() => signInAs(person))} />
            </li>
          ))}
        </ul>
      )}
      <footer className="border-border border-t p-4">
        <Button
          kind={settings.isDemo ? "quiet" : "primary"}
          className="w-full justify-center"
          onClick={() => run(() => signInWithEntra(settings))}
        >
          {settings.isDemo ? "Sign in with a password instead" : "Sign in with Microsoft"}
        </Button>
      </footer>
    </>
  );
}

function PersonChoice({ person, onChoose }: { person: SamplePerson; onChoose: () => void }) {
  return (
    <button
      type="button"
      onClick={onChoose}
      className="flex w-full items-center gap-3 px-6 py-2 text-left hover:bg-sunken focus-visible:-outline-offset-2"
    >
      <Initials person={person.name} size="large" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{person.name}</span>
        <span className="block truncate text-label text-text-2">
          {person.role === null ? "Own mailbox and documents only" : MAY[person.role]}
        </span>
      </span>
      <span className="text-label text-text-2 first-letter:uppercase">
        {person.role ?? "no role"}
      </span>
    </button>
  );
}
