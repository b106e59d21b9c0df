import { draftFromEml } from "../graph/mailbox/eml.ts";
import type { MessageDraft } from "../graph/mailbox/mail-model.ts";
import { COMPANY_DOMAIN } from "./company.ts";
import { type NoteMail, noteMail } from "./company-notes.ts";
import type { NoteTruth } from "./notes/note.ts";
import { ODD_MIME } from "./odd-mime.ts";

/** One message of the company's past: who has it, in which folder, and how long ago it came. */
export interface CompanyMail {
  /** Principal names. */
  readonly to: readonly string[];
  readonly folder: string;
  readonly draft: MessageDraft;
  readonly hoursAgo: number;
  readonly truth: NoteTruth | null;
}

const at = (name: string) => `${name}@${COMPANY_DOMAIN}`;
const OPERATIONS = at("operations");
const SETTLEMENTS = at("settlements");
const NINA = at("nina.berg");
const OMAR = at("omar.haddad");
const PRIYA = at("priya.nair");
const TOMAS = at("tomas.lindqvist");

/** A few weeks of mail of a small asset manager, the same for the same seed. */
export async function createCompanyMail(seed: string): Promise<CompanyMail[]> {
  return [
    ...(await brokerMail(seed)),
    ...newsletters(),
    ...thread(),
    ...(await oddMail()),
    ...odds(),
  ];
}

async function brokerMail(seed: string): Promise<CompanyMail[]> {
  const note = (kind: NonNullable<Parameters<typeof noteMail>[0]["kind"]>, number: number) => ({
    seed: `${seed}/${kind}/${number}`,
    kind,
  });
  const planned: [mail: NoteMail, to: string[], folder: string, hoursAgo: number][] = [
    [await noteMail(note("buy", 1)), [OPERATIONS], "archive", 400],
    [await noteMail(note("sell", 2)), [OPERATIONS], "archive", 300],
    [await noteMail(note("fx", 3)), [OPERATIONS], "inbox", 70],
    // The same message in two mailboxes: one Message-ID, one trade.
    [await noteMail(note("bond", 4)), [OPERATIONS, SETTLEMENTS], "inbox", 50],
    [await noteMail(note("statement", 5)), [SETTLEMENTS], "inbox", 47],
    [await noteMail(note("buy", 6), "inline"), [OPERATIONS], "inbox", 26],
    [await noteMail(note("savings-plan", 7), "forwarded"), [OPERATIONS], "inbox", 25],
    [await noteMail(note("dividend", 8)), [OPERATIONS], "inbox", 22],
    [await noteMail({ ...note("buy", 9), variant: "encrypted" }), [OPERATIONS], "inbox", 5],
  ];
  return planned.map(([{ draft, truth }, to, folder, hoursAgo], index) => ({
    to,
    folder,
    draft: { ...draft, internetMessageId: `<company-note-${index + 1}@brokers.example>` },
    hoursAgo,
    truth,
  }));
}

function newsletters(): CompanyMail[] {
  const issue = (number: number, hoursAgo: number): CompanyMail => ({
    to: [NINA, TOMAS],
    folder: "inbox",
    hoursAgo,
    truth: null,
    draft: {
      subject: `The Morning Brief, no. ${number}`,
      from: { name: "The Morning Brief", address: "hello@morningbrief.example" },
      body: {
        contentType: "html",
        content: `<html><body><h1>Good morning</h1><p>Issue ${number}: rates, oil and what your trades of last week cost.</p><img src="https://morningbrief.example/pixel.gif" width="1" height="1" alt=""><p><a href="https://morningbrief.example/off">Unsubscribe</a></p></body></html>`,
      },
      internetMessageId: `<issue-${number}@morningbrief.example>`,
      headers: [
        { name: "List-Unsubscribe", value: "<https://morningbrief.example/off>" },
        { name: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" },
        { name: "Precedence", value: "bulk" },
      ],
      inferenceClassification: "other",
    },
  });
  return [issue(211, 120), issue(212, 96), issue(213, 24)];
}

/** A question and its answers; each copy is in the folder where its owner would look for it. */
function thread(): CompanyMail[] {
  const mail = (
    number: number,
    from: string,
    to: string,
    hoursAgo: number,
    text: string,
  ): CompanyMail => ({
    to: [to],
    folder: "inbox",
    hoursAgo,
    truth: null,
    draft: {
      subject: `${number === 1 ? "" : "RE: "}Kestrelbrook settlement on Friday`,
      from,
      body: { contentType: "html", content: `<div>${text}</div>` },
      internetMessageId: `<friday-${number}@${COMPANY_DOMAIN}>`,
      headers:
        number === 1
          ? []
          : [{ name: "In-Reply-To", value: `<friday-${number - 1}@${COMPANY_DOMAIN}>` }],
      isRead: number < 3,
    },
  });
  return [
    mail(1, NINA, OMAR, 30, "Does the Kestrelbrook trade settle on Friday or on Monday?"),
    mail(2, OMAR, NINA, 29, "Friday, their note says so. I have put it into the calendar."),
    mail(3, NINA, OMAR, 28, "Thanks. Please copy Priya on the next one."),
  ];
}

async function oddMail(): Promise<CompanyMail[]> {
  const drafts = await Promise.all(
    ODD_MIME.map((text) => draftFromEml(Buffer.from(text, "latin1"))),
  );
  return drafts.map((draft, index) => ({
    to: [OPERATIONS],
    folder: "inbox",
    hoursAgo: 20 - index,
    draft,
    truth: null,
  }));
}

function odds(): CompanyMail[] {
  return [
    {
      to: [PRIYA],
      folder: "inbox",
      hoursAgo: 12,
      truth: null,
      draft: {
        subject: "Shared: Mandate overview 2026",
        from: OMAR,
        body: "The sheet is in the usual place.",
        internetMessageId: `<shared-1@${COMPANY_DOMAIN}>`,
        attachments: [
          {
            kind: "reference",
            name: "Mandate overview 2026.xlsx",
            sourceUrl:
              "https://ashdown.sharepoint.example/sites/ops/Mandate%20overview%202026.xlsx",
          },
        ],
      },
    },
    {
      to: [PRIYA],
      folder: "inbox",
      hoursAgo: 11,
      truth: null,
      draft: {
        subject: "Automatic reply: Mandate overview 2026",
        from: TOMAS,
        body: "I am away until Monday.",
        internetMessageId: `<away-1@${COMPANY_DOMAIN}>`,
        headers: [{ name: "Auto-Submitted", value: "auto-replied" }],
      },
    },
    {
      to: [NINA],
      folder: "junkemail",
      hoursAgo: 9,
      truth: null,
      draft: {
        subject: "You have (1) unclaimed dividend!!!",
        from: "winner@lucky-dividend.example",
        body: {
          contentType: "html",
          content: "<p>Click <a href='http://lucky-dividend.example'>here</a></p>",
        },
        internetMessageId: "<spam-1@lucky-dividend.example>",
      },
    },
  ];
}
