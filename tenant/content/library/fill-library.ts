import type { User } from "../../context.ts";
import type { TenantParts } from "../../parts.ts";
import {
  LIBRARY_READERS,
  LIBRARY_SIZE,
  type LibraryDocument,
  libraryDocument,
  type Matter,
} from "./library.ts";
import { makeLibraryFile, senderOf } from "./make-file.ts";

export interface LibraryTarget extends Pick<TenantParts, "drives" | "dataverse"> {
  readonly users: readonly User[];
  readonly seed: string;
}

export interface Filled {
  /** New ones; documents that are there already stay as they are. */
  readonly filed: number;
  readonly documents: number;
  readonly matters: number;
}

/** Files the first `count` documents of the library. */
export async function fillLibrary(target: LibraryTarget, count: number): Promise<Filled> {
  const { admin } = target.dataverse;
  const readers = target.users.filter((user) =>
    LIBRARY_READERS.includes(user.userPrincipalName.split("@")[0]!),
  );
  for (const { id } of readers) admin.setScope(id, "user");
  const known = new Set(admin.rows("sprk_document").map(({ values }) => values["sprk_filepath"]));
  let filed = 0;
  for (let number = 0; number < Math.min(count, LIBRARY_SIZE); number++) {
    if (known.has(addressOf(number))) continue;
    const document = libraryDocument(target.seed, number);
    await fileDocument(target, document, readers);
    filed += 1;
    // Requests to the tenant are answered between two documents.
    await new Promise((resume) => setImmediate(resume));
  }
  return {
    filed,
    documents: admin.rows("sprk_document").length,
    matters: admin.rows("sprk_matter").length,
  };
}

/** Where the document would open in a browser; the number also tells that it is filed. */
const addressOf = (number: number): string =>
  `https://ashdown.sharepoint.example/library/${number}`;

async function fileDocument(
  target: LibraryTarget,
  document: LibraryDocument,
  people: readonly User[],
): Promise<void> {
  const { admin } = target.dataverse;
  const mayRead = people.filter((user) =>
    document.matter.readers.includes(user.userPrincipalName.split("@")[0]!),
  );
  const matterId = await loadMatter(target, document.matter, mayRead);
  const containerId = target.drives.admin.defaultContainerId;
  const path = `${document.matter.name}/${document.number}/${document.fileName}`;
  const bytes = await makeLibraryFile(document);
  const item = target.drives.admin.putFile(containerId, path, bytes);
  const sender = senderOf(document);
  const row = await admin.create("sprk_document", {
    sprk_documentname: document.title,
    sprk_filename: document.fileName,
    sprk_graphdriveid: containerId,
    sprk_graphitemid: item.id,
    sprk_filepath: addressOf(document.number),
    "sprk_Matter@odata.bind": `/sprk_matters(${matterId})`,
    ...(sender === "" ? {} : { sprk_emailfrom: sender }),
  });
  for (const { id } of mayRead) admin.share(id, "sprk_document", row.id, ["ReadAccess"]);
}

/** The row of a matter; a new one is shared with its readers. */
async function loadMatter(
  { dataverse: { admin } }: LibraryTarget,
  { name }: Matter,
  readers: readonly User[],
): Promise<string> {
  const known = admin.rows("sprk_matter").find(({ values }) => values["sprk_name"] === name);
  if (known !== undefined) return known.id;
  const row = await admin.create("sprk_matter", { sprk_name: name });
  for (const { id } of readers)
    admin.share(id, "sprk_matter", row.id, ["ReadAccess", "AppendToAccess"]);
  return row.id;
}
