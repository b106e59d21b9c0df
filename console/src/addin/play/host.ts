/** Plays Outlook around the pane, so that anybody can try it without Office: a list of mails, the open one, the pane. */
import "../addin.css";
import { SAMPLE_MAILS, type SampleMail } from "./sample-mail.ts";

const list = document.createElement("nav");
list.ariaLabel = "Mail";
const reading = document.createElement("article");
const pane = document.createElement("iframe");
pane.title = "Postroom";
document.getElementById("root")!.append(list, reading, pane);

const language = new URLSearchParams(location.search).get("language") ?? navigator.language;

for (const mail of SAMPLE_MAILS) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = mail.subject;
  button.addEventListener("click", () => open(mail));
  list.append(button);
}
open(SAMPLE_MAILS[0]!);

function open(mail: SampleMail): void {
  const heading = document.createElement("h1");
  heading.textContent = mail.subject;
  const sender = document.createElement("p");
  sender.textContent = `${mail.from.displayName} <${mail.from.emailAddress}>`;
  const text = document.createElement("p");
  text.textContent = mail.text;
  reading.replaceChildren(heading, sender, text);
  const query = new URLSearchParams({ host: "play", mail: mail.id, language });
  pane.src = `/addin/index.html?${query}`;
}
