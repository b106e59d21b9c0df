/** What is open in Outlook or Word, and its content when it is saved. */
import {
  type Getter,
  isDraft,
  type OfficeAddress,
  type OfficeAttachment,
  type OfficeFile,
  type OfficeItem,
  type OfficeJs,
  wait,
} from "./office/office.ts";

export interface OpenMail {
  readonly kind: "mail";
  /** Documents can be added to it. */
  readonly isDraft: boolean;
  readonly subject: string;
  readonly sender: string | null;
  readonly recipients: readonly { type: "To" | "Cc"; email: string; name: string }[];
  readonly date: string;
  readonly internetMessageId: string | null;
  readonly conversationId: string | null;
  /** Files only: a link to a cloud file has no content. */
  readonly attachments: readonly OfficeAttachment[];
}

export interface OpenDocument {
  readonly kind: "document";
  readonly fileName: string;
}

export type OpenItem = OpenMail | OpenDocument;

export async function readItem(office: OfficeJs): Promise<OpenItem | null> {
  const { mailbox, document: open } = office.context;
  if (mailbox !== undefined) return mailbox.item === null ? null : readMail(mailbox.item);
  if (open === undefined) return null;
  const name = decodeURIComponent(open.url.split(/[/\\]/).at(-1) ?? "");
  return { kind: "document", fileName: name === "" ? "Document.docx" : name };
}

async function readMail(item: OfficeItem): Promise<OpenMail> {
  const [subject, from, to, cc] = await Promise.all([
    read(item.subject),
    read(item.from),
    read(item.to),
    read(item.cc),
  ]);
  const isOpenDraft = isDraft(item);
  const attachments = isOpenDraft
    ? await wait<OfficeAttachment[]>((callback) => item.getAttachmentsAsync!(callback))
    : item.attachments!;
  const as = (type: "To" | "Cc") => (each: OfficeAddress) => ({
    type,
    email: each.emailAddress,
    name: each.displayName,
  });
  return {
    kind: "mail",
    isDraft: isOpenDraft,
    subject,
    sender: from?.emailAddress ?? null,
    recipients: [...to.map(as("To")), ...cc.map(as("Cc"))],
    // A draft has no date of its own.
    date: (isOpenDraft ? new Date() : item.dateTimeCreated!).toISOString(),
    internetMessageId: isOpenDraft ? null : (item.internetMessageId ?? null),
    conversationId: item.conversationId,
    attachments: attachments.filter(({ attachmentType }) => attachmentType === "file"),
  };
}

async function read<T>(given: T | Getter<T>): Promise<T> {
  return isGetter(given) ? wait<T>((callback) => given.getAsync(callback)) : given;
}

function isGetter<T>(given: T | Getter<T>): given is Getter<T> {
  return typeof given === "object" && given !== null && "getAsync" in given;
}

export interface Place {
  readonly entityType: string;
  readonly id: string;
}

export interface Wanted {
  /** The ids of attachments. */
  readonly chosen: ReadonlySet<string>;
  readonly isAnalysed: boolean;
}

/** The body of the request that saves what is open. */
export async function toRequest(
  office: OfficeJs,
  open: OpenItem,
  place: Place,
  { chosen, isAnalysed }: Wanted,
): Promise<object> {
  const targetEntity = { entityType: place.entityType, entityId: place.id };
  const more = { targetEntity, ...(isAnalysed ? { aiOptions: { deepAnalysis: true } } : {}) };
  if (open.kind === "document") {
    const { fileName } = open;
    const contentBase64 = await readDocument(office);
    return { contentType: "Document", ...more, document: { fileName, contentBase64 } };
  }
  const item = office.context.mailbox!.item!;
  const attachments = [];
  for (const { id, name, contentType, isInline } of open.attachments.filter((each) =>
    chosen.has(each.id),
  )) {
    const { content, format } = await wait<{ content: string; format: string }>((callback) =>
      item.getAttachmentContentAsync(id, callback),
    );
    if (format === "base64")
      attachments.push({ fileName: name, contentType, isInline, contentBase64: content });
  }
  const { subject, sender, recipients, date, internetMessageId, conversationId } = open;
  return {
    contentType: "Email",
    ...more,
    email: {
      subject,
      recipients,
      internetMessageId,
      conversationId,
      attachments,
      senderEmail: sender,
      sentDate: date,
      ...(await readMessage(office, item)),
    },
  };
}

/** The whole message where Outlook offers it, otherwise its body. */
async function readMessage(office: OfficeJs, item: OfficeItem): Promise<object> {
  if (!isDraft(item) && office.context.requirements.isSetSupported("Mailbox", "1.14")) {
    const contentBase64 = await wait<string>((callback) => item.getAsFileAsync!(callback));
    return { contentBase64 };
  }
  return { body: await wait<string>((callback) => item.body.getAsync("html", callback)) };
}

const SLICE_BYTES = 1024 * 1024;

async function readDocument(office: OfficeJs): Promise<string> {
  const { document: open } = office.context;
  const file = await wait<OfficeFile>((callback) =>
    open!.getFileAsync("compressed", { sliceSize: SLICE_BYTES }, callback),
  );
  try {
    const slices: Uint8Array[] = [];
    for (let index = 0; index < file.sliceCount; index += 1) {
      const slice = await wait<{ data: readonly number[] }>((callback) =>
        file.getSliceAsync(index, callback),
      );
      slices.push(Uint8Array.from(slice.data));
    }
    return await toBase64(new Blob(slices as BlobPart[]));
  } finally {
    // Word keeps at most two files in memory.
    file.closeAsync();
  }
}

function toBase64(blob: Blob): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => fail(reader.error ?? new Error("the document cannot be read"));
    reader.readAsDataURL(blob);
  });
}
