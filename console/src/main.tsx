import { createRoot } from "react-dom/client";
import "./design/tokens.css";
import { App } from "./app.tsx";
import { startTheme } from "./design/theme.ts";

startTheme();
createRoot(document.getElementById("root")!).render(<App />);
