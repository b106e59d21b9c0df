import type { AttachmentDraft, MessageDraft } from "../graph/mailbox/mail-model.ts";
import type { Note, NoteRequest, NoteTruth } from "./notes/note.ts";
import { SKINS } from "./notes/skins.ts";

/** A broker's mail with its document, and the true values to check an extraction against. */
export interface NoteMail {
  readonly draft: MessageDraft;
  readonly fileName: string;
  readonly truth: NoteTruth;
}

const GREETINGS: Readonly<Record<string, string>> = {
  de: "Guten Tag,\n\nanbei erhalten Sie Ihre Abrechnung.\n\nFreundliche Grüße",
  en: "Dear client,\n\nplease find your document attached.\n\nKind regards",
  fr: "Bonjour,\n\nveuillez trouver votre document en pièce jointe.\n\nCordialement",
  it: "Buongiorno,\n\nin allegato il documento.\n\nCordiali saluti",
  es: "Buenos días:\n\nadjuntamos su documento.\n\nUn saludo",
  nl: "Goedendag,\n\nin de bijlage vindt u uw document.\n\nMet vriendelijke groet",
  pt: "Bom dia,\n\nsegue o seu documento em anexo.\n\nCumprimentos",
  da: "Goddag,\n\nvedhæftet finder du dit dokument.\n\nVenlig hilsen",
  sv: "Hej,\n\nditt dokument är bifogat.\n\nVänliga hälsningar",
};

/** The mail in which a broker sends a note; `shape` says how the PDF is attached. */
export async function noteMail(
  request: NoteRequest,
  shape: "attached" | "inline" | "forwarded" = "attached",
): Promise<NoteMail> {
  // Typesetting a page loads a PDF library; a tenant with empty mailboxes never needs it.
  const { makeNote } = await import("./notes/make-note.ts");
  const note = await makeNote({ client: clientOf(request.seed), ...request });
  const direct = directMail(note, { isInline: shape === "inline" });
  const draft = shape === "forwarded" ? forward(direct) : direct;
  return { draft, fileName: note.fileName, truth: note.truth };
}

/** The notes are addressed to people of the company, so that each trade belongs to somebody. */
const CLIENTS = ["Nina Berg", "Omar Haddad", "Priya Nair", "Tomas Lindqvist"];

function clientOf(seed: string | number): string {
  const sum = [...String(seed)].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return CLIENTS[sum % CLIENTS.length]!;
}

function directMail(note: Note, { isInline }: { readonly isInline: boolean }): MessageDraft {
  const skin = SKINS.find((each) => each.id === note.skin)!;
  const [broker, , town] = skin.broker;
  const title = note.fileName.replace(/\.pdf$/i, "").replaceAll("_", " ");
  const text = `${GREETINGS[note.language]}\n${broker}\n${town}`;
  const attachment: AttachmentDraft = {
    name: note.fileName,
    contentType: "application/pdf",
    bytes: note.pdf,
    ...(isInline ? { isInline: true, contentId: `note@${skin.id}.example` } : {}),
  };
  const html = `<p>${text.replaceAll("\n", "<br>")}</p><p><img src="cid:note@${skin.id}.example" alt=""></p>`;
  return {
    subject: `${broker.split(" ")[0]}: ${title}`,
    from: { name: broker, address: `documents@${skin.id}.example` },
    body: isInline
      ? { contentType: "html", content: html }
      : { contentType: "text", content: text },
    attachments: [attachment],
  };
}

/** Somebody forwards the broker's mail as an attachment: the PDF is one level deeper. */
function forward(inner: MessageDraft): MessageDraft {
  return {
    subject: `FW: ${inner.subject}`,
    from: { name: "Nina Berg", address: "nina.berg@ashdown.example" },
    body: "This one came to me, please book it. Nina",
    attachments: [{ kind: "item", name: inner.subject ?? "Message", item: inner }],
  };
}
