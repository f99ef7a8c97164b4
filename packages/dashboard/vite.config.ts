import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

/** The Clew that the development server passes requests to. */
const server = process.env.CLEW_URL ?? "http://localhost:8420";

/**
 * Loads the module that cleans the address bar as a script of its own, before the others: it then runs even if these
 * cannot be loaded.
 */
const arrivalFirst: Plugin = {
  name: "arrival-first",
  transformIndexHtml: {
    order: "post",
    handler: (html) =>
      html
        .replace(/<link rel="modulepreload" crossorigin( href="[^"]*\/arrival-[^"]*")>\n\s*/, "")
        .replace(/(?=<script type="module")/, (_, offset) => {
          const [, file] =
            /<link rel="modulepreload" crossorigin href="([^"]*\/arrival-[^"]*)">/.exec(html) ?? [];
          return offset < 0 || file === undefined
            ? ""
            : `<script type="module" crossorigin src="${file}"></script>\n    `;
        }),
  },
};

export default defineConfig({
  root: import.meta.dirname,
  // Relative, since PUBLIC_URL may have a path. The server sets `<base>`.
  base: "./",
  plugins: [tailwindcss(), arrivalFirst],
  build: {
    target: ["chrome125", "firefox128", "safari18"],
    // The policy of the page allows no data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: ["index.html", "not-found.html", "sign-in-code.html"].map((name) =>
        join(import.meta.dirname, name),
      ),
      checks: { moduleLevelDirective: false },
      output: { codeSplitting: { groups: [{ name: "arrival", test: /session\/arrival\.ts$/ }] } },
    },
  },
  server: { proxy: { "/api": server, "/demo": server, "/docs": server } },
});
