import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tailwindcss()],
  build: {
    outDir: "../dist/console",
    emptyOutDir: true,
    target: "es2022",
    // Inlined files would need data: in the content security policy.
    assetsInlineLimit: 0,
    // The polyfill is an inline script, which the content security policy forbids.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The console, the pane of Outlook and Word, and the page that plays Outlook.
      input: ["index.html", "addin/index.html", "addin/host.html"].map((page) =>
        join(import.meta.dirname, page),
      ),
      // Radix marks its modules for servers that render React; there is none here.
      onwarn: (warning, warn) => {
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning);
      },
    },
  },
});
