/** Beside a document: what it says, its versions, who may open it, and what happened to it. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import {
  type DocumentReader,
  type DocumentStep,
  type DocumentVersion,
  useHistory,
  useProfile,
  useReaders,
  useVersions,
} from "../../data/documents.ts";
import { Card, KeyValues } from "../../design/card.tsx";
import { Loading } from "../../design/feedback.tsx";
import { formatBytes } from "../../design/format.ts";
import { Ago } from "../../design/values.tsx";
import { Failure } from "../../shell/failure.tsx";

/** Only the history exists before the record does. */
export function Details({ id, hasRecord }: { id: string; hasRecord: boolean }) {
  return (
    <>
      {hasRecord && (
        <>
          <Profile id={id} />
          <Versions id={id} />
          <Readers id={id} />
        </>
      )}
      <History id={id} />
    </>
  );
}

function Part<T>({
  title,
  query,
  count,
  children,
}: {
  title: string;
  query: UseQueryResult<T>;
  count?: (data: T) => number;
  children: (data: T) => ReactNode;
}) {
  const { data, error, refetch } = query;
  return (
    <Card title={title} count={data && count?.(data)}>
      {data ? (
        children(data)
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what={title.toLowerCase()} rows={2} />
      )}
    </Card>
  );
}

const Line = ({ children }: { children: ReactNode }) => (
  <li className="px-4 py-1.5 first:pt-3 last:pb-3">{children}</li>
);
const Grey = ({ children }: { children: ReactNode }) => (
  <span className="block break-words text-label text-text-2">{children}</span>
);
const Note = ({ children }: { children: ReactNode }) => (
  <p className="text-balance px-4 py-3 text-text-2">{children}</p>
);

function Profile({ id }: { id: string }) {
  return (
    <Part title="Profile" query={useProfile(id)}>
      {({ tldr, summary, keywords, documentType, summarizedAt }) =>
        summarizedAt === null ? (
          <Note>No profile yet. It is written after the document is filed.</Note>
        ) : (
          <>
            <p className="whitespace-pre-wrap break-words px-4 pt-3">{tldr || summary}</p>
            <KeyValues
              rows={[
                ["Kind", documentType],
                ["Keywords", keywords],
                ["Written", <Ago key="at" at={summarizedAt} />],
              ]}
            />
          </>
        )
      }
    </Part>
  );
}

function Versions({ id }: { id: string }) {
  return (
    <Part title="Versions" query={useVersions(id)} count={({ versions }) => versions.length}>
      {({ versions }) => (
        <ol>
          {versions.map((version, index) => (
            <VersionLine key={version.id} version={version} isCurrent={index === 0} />
          ))}
        </ol>
      )}
    </Part>
  );
}

function VersionLine({ version, isCurrent }: { version: DocumentVersion; isCurrent: boolean }) {
  const { id, at, by, size } = version;
  return (
    <Line>
      Version {id}
      {isCurrent && ", current"}
      <Grey>
        <Ago at={at} />
        {by !== null && ` by ${by}`}
        {size !== null && `, ${formatBytes(size)}`}
      </Grey>
    </Line>
  );
}

/** Graph's roles, in words. */
const ROLES: Readonly<Record<string, string>> = {
  read: "can read",
  reader: "can read",
  write: "can edit",
  writer: "can edit",
  manager: "can manage",
  owner: "owner",
};

function Readers({ id }: { id: string }) {
  return (
    <Part title="Who may open it" query={useReaders(id)} count={({ readers }) => readers.length}>
      {({ recordOwner, readers }) => (
        <>
          <ul>
            {readers.map((reader, index) => (
              <ReaderLine key={index} reader={reader} />
            ))}
          </ul>
          <p className="border-border border-t px-4 py-3 text-label text-text-2">
            {recordOwner !== null && `${recordOwner} owns the record. `}
            Only owners of the drive see everybody; others see only their own permissions.
          </p>
        </>
      )}
    </Part>
  );
}

function ReaderLine({ reader }: { reader: DocumentReader }) {
  const { name, email, roles, isInherited, until } = reader;
  const words = roles.map((role) => ROLES[role] ?? role).join(", ");
  return (
    <Line>
      {name}
      <Grey>
        {email !== null && `${email}, `}
        {words}
        {isInherited ? ", through the drive" : ", this file only"}
        {until !== null && (
          <>
            , until <Ago at={until} />
          </>
        )}
      </Grey>
    </Line>
  );
}

const STEPS: Readonly<Record<DocumentStep["what"], string>> = {
  filed: "Filed",
  refused: "Record refused",
  missing: "File found missing",
  "record-created": "Record created",
  "record-changed": "Record last changed",
  indexed: "Made searchable",
  summarized: "Profile written",
};

export const SOURCES: Readonly<Record<string, string>> = {
  upload: "uploaded",
  session: "uploaded in chunks",
  email: "from an e-mail",
  attachment: "from an attachment",
  office: "from Outlook or Word",
};

function History({ id }: { id: string }) {
  return (
    <Part title="History" query={useHistory(id)}>
      {({ steps }) =>
        steps.length === 0 ? (
          <Note>Nothing is known about this document yet.</Note>
        ) : (
          <ol>
            {steps.map(({ at, what, by, detail }) => (
              <Line key={`${what} ${at}`}>
                {STEPS[what]}
                <Grey>
                  <Ago at={at} />
                  {by !== null && ` by ${by}`}
                  {detail !== null && `, ${SOURCES[detail] ?? detail}`}
                </Grey>
              </Line>
            ))}
          </ol>
        )
      }
    </Part>
  );
}
