/** Where to save, which attachments, and how far the save is. */
import { useEffect, useState } from "react";
import { Analyses } from "./analyses.tsx";
import { Attachments } from "./attachments.tsx";
import type { OfficeJs } from "./office/office.ts";
import { PlacePicker } from "./place-picker.tsx";
import { type OpenItem, toRequest } from "./read-item.ts";
import {
  type FiledDocument,
  type FoundPlace,
  type JobStatus,
  Refusal,
  type Server,
} from "./server.ts";
import type { Words } from "./words.ts";

export interface ChooseProps {
  readonly office: OfficeJs;
  readonly server: Server;
  readonly open: OpenItem;
  readonly words: Words;
}

type State =
  | { readonly kind: "choosing" }
  | { readonly kind: "saving"; readonly status: JobStatus | null }
  | {
      readonly kind: "saved";
      readonly webUrl: string | null;
      readonly isOld: boolean;
      /** Null if another save filed it. */
      readonly jobId: string | null;
    }
  | { readonly kind: "failed"; readonly detail: string };

export function Choose({ office, server, open, words }: ChooseProps) {
  const [places, setPlaces] = useState<{ recent: FoundPlace[]; suggested: FoundPlace[] } | null>(
    null,
  );
  const [filed, setFiled] = useState<readonly FiledDocument[]>([]);
  const [place, setPlace] = useState<FoundPlace | null>(null);
  const attachments = open.kind === "mail" ? open.attachments : [];
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(attachments.filter(({ isInline }) => !isInline).map(({ id }) => id)),
  );
  const [isAnalysed, setAnalysed] = useState(false);
  const [state, setState] = useState<State>({ kind: "choosing" });

  useEffect(() => {
    const load = async () => {
      const { filed: known, ...found } = await server.look(hintsOf(open));
      setPlaces(found);
      setFiled(known);
      setPlace((current) => current ?? found.suggested[0] ?? null);
    };
    load().catch((error: Error) => setState({ kind: "failed", detail: error.message }));
  }, [server, open]);

  const save = async () => {
    if (place === null) return;
    setState({ kind: "saving", status: null });
    try {
      const body = await toRequest(office, open, place, { chosen, isAnalysed });
      const { jobId, duplicate } = await server.save(body, await keyFor(body));
      const end = await server.follow(jobId, (status) => setState({ kind: "saving", status }));
      if (end.status !== "Completed") throw new Error(end.error?.message ?? words.failed);
      const webUrl = end.result?.artifact.webUrl ?? null;
      setState({ kind: "saved", webUrl, isOld: duplicate, jobId });
    } catch (error) {
      const isFiled = error instanceof Refusal && error.code === "OFFICE_011";
      const webUrl = filed[0]?.webUrl ?? null;
      if (isFiled) setState({ kind: "saved", webUrl, isOld: true, jobId: null });
      else setState({ kind: "failed", detail: (error as Error).message });
    }
  };

  const isBusy = state.kind === "saving";
  return (
    <>
      <p className="open">{open.kind === "mail" ? open.subject : open.fileName}</p>
      {filed.map(({ documentId, target, webUrl }) => (
        <p key={documentId} className="note">
          {words.filed} {words.filedIn} {target.name}.{" "}
          {webUrl !== null && <OpenLink url={webUrl} words={words} />}
        </p>
      ))}
      {places !== null && (
        <PlacePicker {...{ server, places, place, words }} isBusy={isBusy} onPlace={setPlace} />
      )}
      {open.kind === "mail" && (
        <Attachments {...{ attachments, chosen, isBusy, words }} onChosen={setChosen} />
      )}
      <label>
        <input
          type="checkbox"
          checked={isAnalysed}
          disabled={isBusy}
          onChange={() => setAnalysed(!isAnalysed)}
        />
        <span>{words.analyse}</span>
      </label>
      <button
        className="primary"
        type="button"
        disabled={isBusy || place === null}
        onClick={() => void save()}
      >
        {isBusy ? words.saving : words.save}
      </button>
      {place === null && places !== null && <p className="hint">{words.saveNowhere}</p>}
      <Outcome state={state} words={words} />
      {state.kind === "saved" && state.jobId !== null && (
        <Analyses key={state.jobId} {...{ server, words }} jobId={state.jobId} />
      )}
    </>
  );
}

function Outcome({ state, words }: { readonly state: State; readonly words: Words }) {
  if (state.kind === "failed")
    return (
      <p role="alert">
        {words.failed} {state.detail}
      </p>
    );
  const status = state.kind === "saving" ? state.status : null;
  return (
    <div role="status">
      {state.kind === "saving" && (
        <>
          <progress max={100} value={status?.progress ?? 0} aria-label={words.saving} />
          <small>
            {status?.progress ?? 0} % · {words.phases[status?.currentPhase ?? "FileUploading"]}
          </small>
        </>
      )}
      {state.kind === "saved" && (
        <p className="note ok">
          <b>{state.isOld ? words.savedBefore : words.saved}</b>{" "}
          {state.webUrl !== null && <OpenLink url={state.webUrl} words={words} />}
          <br />
          <small>100 % · {words.phases["Complete"]}</small>
        </p>
      )}
    </div>
  );
}

function OpenLink({ url, words }: { readonly url: string; readonly words: Words }) {
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {words.open}
    </a>
  );
}

function hintsOf(open: OpenItem): Record<string, string> {
  if (open.kind === "document") return { subject: open.fileName };
  const { sender, subject, conversationId, internetMessageId } = open;
  const hints = { sender, subject, conversationId, internetMessageId };
  return Object.fromEntries(
    Object.entries(hints).filter((each): each is [string, string] => Boolean(each[1])),
  );
}

/** The same save has the same key, so that a second click, or a retry after a lost answer, changes nothing. */
async function keyFor(body: object): Promise<string> {
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(JSON.stringify(body)),
  );
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
