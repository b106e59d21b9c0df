/** The part of Office.js that the pane uses, and how it is loaded. */
interface AsyncResult<T> {
  readonly status: "succeeded" | "failed";
  readonly value: T;
  readonly error?: { readonly message: string };
}
type Callback<T> = (result: AsyncResult<T>) => void;

export interface OfficeAddress {
  readonly displayName: string;
  readonly emailAddress: string;
}

export interface OfficeAttachment {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly contentType: string;
  readonly isInline: boolean;
  /** `file`, `item` for a message inside a message, `cloud` for a link. */
  readonly attachmentType: string;
}

export interface Getter<T> {
  getAsync(callback: Callback<T>): void;
}

/** In a received message, properties have values; in a draft, they have getters. */
export interface OfficeItem {
  readonly subject: string | Getter<string>;
  readonly from: OfficeAddress | Getter<OfficeAddress>;
  readonly to: readonly OfficeAddress[] | Getter<readonly OfficeAddress[]>;
  readonly cc: readonly OfficeAddress[] | Getter<readonly OfficeAddress[]>;
  readonly dateTimeCreated?: Date;
  readonly internetMessageId?: string;
  readonly conversationId: string | null;
  readonly attachments?: readonly OfficeAttachment[];
  readonly body: {
    getAsync(type: "html", callback: Callback<string>): void;
    /** Only of a draft. */
    setSelectedDataAsync?(
      html: string,
      options: { readonly coercionType: "html" },
      callback: Callback<void>,
    ): void;
  };
  getAttachmentsAsync?(callback: Callback<OfficeAttachment[]>): void;
  getAttachmentContentAsync(
    id: string,
    callback: Callback<{ readonly content: string; readonly format: string }>,
  ): void;
  getAsFileAsync?(callback: Callback<string>): void;
  addFileAttachmentFromBase64Async?(
    content: string,
    name: string,
    callback: Callback<string>,
  ): void;
}

/** Whether the message is a draft. Only then do its properties have getters. */
export const isDraft = (item: OfficeItem): boolean => typeof item.subject !== "string";

export interface OfficeFile {
  readonly size: number;
  readonly sliceCount: number;
  getSliceAsync(index: number, callback: Callback<{ readonly data: readonly number[] }>): void;
  closeAsync(callback?: Callback<void>): void;
}

export interface OfficeJs {
  onReady(): Promise<{ readonly host: string | null }>;
  readonly context: {
    readonly displayLanguage: string;
    readonly officeTheme?: { readonly bodyBackgroundColor: string };
    readonly mailbox?: {
      readonly item: OfficeItem | null;
      addHandlerAsync(event: string, handler: () => void): void;
    };
    readonly document?: {
      readonly url: string;
      getFileAsync(
        type: string,
        options: { readonly sliceSize: number },
        callback: Callback<OfficeFile>,
      ): void;
    };
    readonly requirements: { isSetSupported(name: string, version: string): boolean };
  };
}

declare global {
  interface Window {
    Office?: OfficeJs;
  }
}

const OFFICE_JS = "https://appsforoffice.microsoft.com/lib/1/hosted/office.js";

/** Microsoft allows Office.js only from its own address. */
export async function loadOffice(): Promise<OfficeJs> {
  if (window.Office === undefined) await loadScript(OFFICE_JS);
  const office = window.Office!;
  await office.onReady();
  return office;
}

function loadScript(src: string): Promise<void> {
  return new Promise((done, fail) => {
    const script = document.createElement("script");
    script.src = src;
    script.onload = () => done();
    script.onerror = () => fail(new Error("Office.js could not be loaded"));
    document.head.append(script);
  });
}

/** An Office call with a callback, as a promise. */
export function wait<T>(call: (callback: Callback<T>) => void): Promise<T> {
  return new Promise((done, fail) => {
    call((result) =>
      result.status === "succeeded"
        ? done(result.value)
        : fail(new Error(result.error?.message ?? "Office refused")),
    );
  });
}
