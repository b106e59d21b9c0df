/** The task pane of Outlook and Word. */
import { createRoot } from "react-dom/client";
import "./addin.css";
import { loadOffice } from "./office/office.ts";
import { Pane } from "./pane.tsx";
import { loadSettings } from "./sign-in.ts";
import { wordsFor } from "./words.ts";

const settings = await loadSettings();
// Only with the local tenant: this page is embedded in one that imitates Outlook.
if (settings.isDemo && new URLSearchParams(location.search).get("host") === "play")
  (await import("./play/play-office.ts")).playOffice();

const root = createRoot(document.getElementById("root")!);
try {
  const office = await loadOffice();
  const { displayLanguage, officeTheme } = office.context;
  document.documentElement.lang = displayLanguage;
  if (officeTheme !== undefined)
    document.documentElement.dataset["theme"] = isDark(officeTheme.bodyBackgroundColor)
      ? "dark"
      : "light";
  root.render(<Pane office={office} settings={settings} words={wordsFor(displayLanguage)} />);
} catch (error) {
  root.render(<p role="alert">{(error as Error).message}</p>);
}

function isDark(colour: string): boolean {
  const [r = 255, g = 255, b = 255] = (colour.match(/[0-9a-f]{2}/gi) ?? []).map((hex) =>
    Number.parseInt(hex, 16),
  );
  return r + g + b < 384;
}
