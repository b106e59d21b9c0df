/** The window in which somebody signed in hands Entra's answer to the page that opened it, and closes. */
import { broadcastResponseToMainFrame } from "@azure/msal-browser/redirect-bridge";

broadcastResponseToMainFrame().then(
  // Read only if the browser does not let the window close.
  () => say("You are signed in. You can close this window."),
  () => say("This window belongs to a sign-in that has ended. Close it and sign in again."),
);

function say(text: string): void {
  document.getElementById("root")!.textContent = text;
}
