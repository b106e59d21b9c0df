import { createRoot } from "react-dom/client";
import "./design/tokens.css";
import { App } from "./app.tsx";
import { startTheme } from "./design/theme.ts";

startTheme();
// Entra sends the window in which somebody signed in back here, with its answer after the hash.
if (location.pathname === "/signed-in") void import("./session/signed-in.ts");
else createRoot(document.getElementById("root")!).render(<App />);
