/** Adds documents to a message that is being written, as a link or as a file. */
import { useEffect, useState } from "react";
import { type OfficeItem, type OfficeJs, wait } from "./office/office.ts";
import type { FoundDocument, Server } from "./server.ts";
import type { Words } from "./words.ts";

export interface ShareProps {
  readonly office: OfficeJs;
  readonly server: Server;
  readonly words: Words;
}

const PAUSE_MS = 250;

export function Share({ office, server, words }: ShareProps) {
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<readonly FoundDocument[] | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const text = query.trim();

  useEffect(() => {
    setFound(null);
    if (text.length < 2) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      server.searchDocuments(text, stop.signal).then(setFound, (error: Error) => {
        if (!stop.signal.aborted) setSaid(error.message);
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [server, text]);

  const add = async (how: typeof insertLink, documentId: string) => {
    setSaid(null);
    try {
      await how(office.context.mailbox!.item!, server, documentId);
      setSaid(words.added);
    } catch (error) {
      setSaid((error as Error).message);
    }
  };
  return (
    <fieldset>
      <legend>{words.share}</legend>
      <input
        type="search"
        value={query}
        placeholder={words.searchDocuments}
        aria-label={words.searchDocuments}
        onChange={(event) => setQuery(event.target.value)}
      />
      {found?.length === 0 && <p>{words.nothingFound}</p>}
      {found?.map(({ documentId, name }) => (
        <div key={documentId} role="group" aria-label={name} className="found">
          <p>{name}</p>
          <div className="pair">
            <button type="button" onClick={() => void add(insertLink, documentId)}>
              {words.insertLink}
            </button>
            <button type="button" onClick={() => void add(attach, documentId)}>
              {words.attach}
            </button>
          </div>
        </div>
      ))}
      <p role="status">{said}</p>
    </fieldset>
  );
}

async function insertLink(item: OfficeItem, server: Server, documentId: string): Promise<void> {
  const { name, url } = await server.link(documentId);
  const link = document.createElement("a");
  link.href = url;
  link.textContent = name;
  // Escaped by the browser: names come from other people.
  const html = link.outerHTML;
  await wait<void>((callback) =>
    item.body.setSelectedDataAsync!(html, { coercionType: "html" }, callback),
  );
}

async function attach(item: OfficeItem, server: Server, documentId: string): Promise<void> {
  const { fileName, contentBase64 } = await server.file(documentId);
  await wait<string>((callback) =>
    item.addFileAttachmentFromBase64Async!(contentBase64, fileName, callback),
  );
}
