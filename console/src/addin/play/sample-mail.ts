/** Mail of the sample company, for the page that imitates Outlook. */
export interface SampleMail {
  readonly id: string;
  readonly subject: string;
  readonly from: { readonly displayName: string; readonly emailAddress: string };
  readonly to: readonly { readonly displayName: string; readonly emailAddress: string }[];
  readonly date: string;
  readonly text: string;
  readonly attachments: readonly {
    readonly name: string;
    readonly contentType: string;
    readonly text: string;
  }[];
}

const nina = { displayName: "Nina Berg", emailAddress: "nina.berg@postroom.example" };
const omar = { displayName: "Omar Haddad", emailAddress: "omar.haddad@postroom.example" };

export const SAMPLE_MAILS: readonly SampleMail[] = [
  {
    id: "lease",
    subject: "M-2026-001 Lease of the harbour warehouse, signed",
    from: { displayName: "Ingrid Solberg", emailAddress: "ingrid.solberg@harbour.example" },
    to: [nina],
    date: "2026-02-16T09:12:00Z",
    text: "Dear Nina, the lease is signed. The plan and the list of keys are attached.",
    attachments: [
      { name: "Lease.txt", contentType: "text/plain", text: "Lease of the harbour warehouse\n" },
      { name: "Floor plan.txt", contentType: "text/plain", text: "Floor plan, 2nd edition\n" },
      { name: "Keys.csv", contentType: "text/csv", text: "key,door\n1,north\n2,south\n" },
    ],
  },
  {
    id: "fee",
    subject: "Fee note for January",
    from: { displayName: "Ravi Menon", emailAddress: "ravi.menon@counsel.example" },
    to: [nina, omar],
    date: "2026-02-17T14:40:00Z",
    text: "Please find our fee note for January. Payment is due within thirty days.",
    attachments: [{ name: "Fee note.txt", contentType: "text/plain", text: "Fee note 2026-01\n" }],
  },
  {
    id: "lunch",
    subject: "Lunch on Thursday?",
    from: omar,
    to: [nina],
    date: "2026-02-18T11:05:00Z",
    text: "The usual place at half past twelve?",
    attachments: [],
  },
];

/** A message that is being written. */
export const SAMPLE_DRAFT: SampleMail = {
  id: "draft",
  subject: "M-2026-001 Keys of the harbour warehouse",
  from: nina,
  to: [{ displayName: "Ingrid Solberg", emailAddress: "ingrid.solberg@harbour.example" }],
  date: "2026-02-18T15:00:00Z",
  text: "Dear Ingrid, thank you for the lease.",
  attachments: [{ name: "Receipt.txt", contentType: "text/plain", text: "Two keys received\n" }],
};
