/** Imitates Outlook, Word, Excel and PowerPoint around the pane, so that anybody can try it without Office: a list, what is open, the pane. */
import "../addin.css";
import { SAMPLE_DOCUMENTS } from "./sample-documents.ts";
import { SAMPLE_DRAFT, SAMPLE_MAILS, type SampleMail } from "./sample-mail.ts";

const list = document.createElement("nav");
list.ariaLabel = "Mail and documents";
const reading = document.createElement("article");
const pane = document.createElement("iframe");
pane.title = "Postroom";
document.getElementById("root")!.append(list, reading, pane);

const language = new URLSearchParams(location.search).get("language") ?? navigator.language;

const offer = (label: string, onClick: () => void): void => {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.addEventListener("click", onClick);
  list.append(button);
};
for (const mail of SAMPLE_MAILS) offer(mail.subject, () => openMail(mail));
offer(`Draft: ${SAMPLE_DRAFT.subject}`, () => openMail(SAMPLE_DRAFT));
for (const { app, fileName, text } of SAMPLE_DOCUMENTS)
  offer(`${app}: ${fileName}`, () => show([fileName, text], { app }));
openMail(SAMPLE_MAILS[0]!);

// What the pane adds to a draft.
addEventListener("message", ({ origin, data }: MessageEvent<unknown>) => {
  if (origin !== location.origin || typeof data !== "string") return;
  const added = document.createElement("p");
  added.textContent = data;
  reading.append(added);
});

function openMail(mail: SampleMail): void {
  const { displayName, emailAddress } = mail.from;
  show([mail.subject, `${displayName} <${emailAddress}>`, mail.text], { mail: mail.id });
}

function show([title, ...lines]: readonly string[], parameters: Record<string, string>): void {
  const heading = document.createElement("h1");
  heading.textContent = title!;
  const paragraphs = lines.map((line) => {
    const paragraph = document.createElement("p");
    paragraph.textContent = line;
    return paragraph;
  });
  reading.replaceChildren(heading, ...paragraphs);
  const query = new URLSearchParams({ host: "play", language, ...parameters });
  pane.src = `/addin/index.html?${query}`;
}
