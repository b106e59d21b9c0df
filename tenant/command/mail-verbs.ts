import { basename } from "node:path";
import { type Command, Option } from "commander";
import {
  type CommonOptions,
  connect,
  print,
  readGivenFile,
  verb,
  withCommonOptions,
  wrongUsage,
} from "./connection.ts";

interface SentMessage {
  readonly id: string;
  readonly mailbox: string;
  readonly subject: string;
  readonly folder: string;
  readonly immutableId: string;
}

/** The id that Postroom uses too: it survives a move, and every verb takes it. */
function shown<T extends SentMessage>(message: T): T {
  return { ...message, id: message.immutableId };
}

interface SendOptions extends CommonOptions {
  readonly to: string;
  readonly from?: string;
  readonly subject?: string;
  readonly body?: string;
  readonly attach?: string[];
  readonly eml?: string;
  readonly auth?: string;
  readonly header?: string[];
}

interface MessageOptions extends CommonOptions {
  readonly mailbox: string;
}

/** What people do with mail: `send`, `messages`, `move`, `read`, `delete`. */
export function addMailVerbs(tenant: Command): void {
  withCommonOptions(tenant.command("send"))
    .description("deliver a message to a mailbox")
    .requiredOption("--to <mailbox>", "user principal name or ID")
    .option("--from <address>", "sender")
    .option("--subject <text>", "subject line")
    .option("--body <text>", "plain text, or HTML if it begins with <")
    .option("--attach <file...>", "files to attach")
    .option(
      "--eml <file>",
      "file with a complete RFC 5322 message; the other options replace its parts",
    )
    .addOption(
      new Option(
        "--auth <verdict>",
        "treat the message as external mail with this authentication result (default: pass; mail from the mailbox's own domain counts as internal)",
      ).choices(["pass", "fail", "none"]),
    )
    .option(
      "--header <header...>",
      'headers the sender adds, as "Name: value"; they are placed below Exchange\'s own',
    )
    .addHelpText(
      "after",
      '\nExample:\n  postroom tenant send --to operations@ashdown.example --from desk@broker.example --subject "Contract note" --attach note.pdf',
    )
    .action(verb(sendMail));

  onMailbox(tenant, "messages", "list the newest messages of a mailbox")
    .option("--folder <name>", "only this folder")
    .addHelpText(
      "after",
      "\nExample:\n  postroom tenant messages --mailbox operations@ashdown.example --folder inbox",
    )
    .action(verb(listMessages));

  onMessage(tenant, "move", "move a message to another folder")
    .requiredOption("--folder <name>", "well-known name, display name or ID of the target")
    .addHelpText(
      "after",
      "\nExample:\n  postroom tenant move latest --mailbox operations@ashdown.example --folder archive",
    )
    .action(
      verb((message: string, options: MessageOptions & { folder: string }) =>
        act(message, options, "move", { folder: options.folder }),
      ),
    );
  onMessage(tenant, "read", "mark a message as read")
    .option("--unread", "mark it as unread instead")
    .addHelpText(
      "after",
      "\nExample:\n  postroom tenant read latest --mailbox operations@ashdown.example",
    )
    .action(
      verb((message: string, options: MessageOptions & { unread?: boolean }) =>
        act(message, options, "read", { isRead: options.unread !== true }),
      ),
    );
  onMessage(tenant, "delete", "move a message to Deleted Items")
    .option("--permanently", "delete it permanently")
    .addHelpText(
      "after",
      "\nExample:\n  postroom tenant delete latest --mailbox operations@ashdown.example",
    )
    .action(
      verb((message: string, options: MessageOptions & { permanently?: boolean }) =>
        act(message, options, "delete", { permanently: options.permanently === true }),
      ),
    );
}

function onMailbox(tenant: Command, name: string, description: string): Command {
  return withCommonOptions(tenant.command(name))
    .description(description)
    .requiredOption("--mailbox <mailbox>", "user principal name or ID");
}

function onMessage(tenant: Command, name: string, description: string): Command {
  const command = onMailbox(tenant, name, description);
  return command.argument("<message>", "message ID, or 'latest'");
}

async function sendMail(options: SendOptions): Promise<void> {
  const attachments = (options.attach ?? []).map((path) => ({
    name: basename(path),
    contentBytes: readGivenFile(path).toString("base64"),
  }));
  const { to, from, subject, body, auth } = options;
  const eml = options.eml === undefined ? undefined : readGivenFile(options.eml).toString("base64");
  const answer = await connect(options).call<SentMessage>("POST", "/mail", {
    to,
    from,
    subject,
    body,
    attachments,
    eml,
    auth,
    headers: (options.header ?? []).map(toHeader),
  });
  const sent = shown(answer);
  print(options, sent, `sent to ${to}: ${sent.subject}\n${sent.id}`);
}

function toHeader(text: string): { name: string; value: string } {
  const match = /^([^\s:]+):\s*(.+)$/s.exec(text);
  if (match === null) throw wrongUsage(`--header '${text}' must have the form "Name: value"`);
  return { name: match[1]!, value: match[2]! };
}

async function listMessages(options: MessageOptions & { folder?: string }): Promise<void> {
  const folder =
    options.folder === undefined ? "" : `?folder=${encodeURIComponent(options.folder)}`;
  const path = `/mailboxes/${encodeURIComponent(options.mailbox)}/messages${folder}`;
  const { value } = await connect(options).call<{ value: ListedMessage[] }>("GET", path);
  for (const message of value.map(shown)) {
    const mark = message.isRead ? " " : "*";
    print(
      options,
      message,
      `${mark} ${message.receivedDateTime}  ${message.folder.padEnd(12)}  ${message.subject}\n    ${message.id}`,
    );
  }
}

interface ListedMessage extends SentMessage {
  readonly isRead: boolean;
  readonly receivedDateTime: string;
}

async function act(
  message: string,
  options: MessageOptions,
  what: string,
  body: object,
): Promise<void> {
  const path = `/messages/${encodeURIComponent(message)}/${what}`;
  const answer = await connect(options).call<SentMessage | null>("POST", path, {
    mailbox: options.mailbox,
    ...body,
  });
  if (answer?.immutableId === undefined) return print(options, { done: true }, "done");
  const moved = shown(answer);
  print(options, moved, `done: ${moved.subject} is in ${moved.folder}\n${moved.id}`);
}
