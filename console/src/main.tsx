import { createRoot } from "react-dom/client";
import "./design/tokens.css";
import { App } from "./app.tsx";
import { startTheme } from "./design/theme.ts";

startTheme();
// After a sign-in Entra redirects its window to this address, with the response after the hash.
if (location.pathname === "/signed-in") void import("./session/signed-in.ts");
else createRoot(document.getElementById("root")!).render(<App />);
