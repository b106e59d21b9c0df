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
      // Radix marks its modules for servers that render React; there is none here.
      onwarn: (warning, warn) => {
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning);
      },
    },
  },
});
