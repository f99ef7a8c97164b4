import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

/** The Clew that the development server passes requests to. */
const server = process.env.CLEW_URL ?? "http://localhost:8420";

const arrivalPreload = /<link rel="modulepreload" crossorigin href="([^"]*\/arrival-[^"]*)">\n\s*/;

/**
 * Loads the module that cleans the address bar as a script of its own, before the others: it then runs even if these
 * cannot be loaded.
 */
const arrivalFirst: Plugin = {
  name: "arrival-first",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(html) {
      const [, file] = arrivalPreload.exec(html) ?? [];
      if (file === undefined) return html;
      const script = `<script type="module" crossorigin src="${file}"></script>\n    `;
      return html
        .replace(arrivalPreload, "")
        .replace('<script type="module"', `${script}<script type="module"`);
    },
  },
};

/** Sets `<base>` as the server does. */
const baseOfDevelopment: Plugin = {
  name: "base-of-development",
  apply: "serve",
  transformIndexHtml: { order: "pre", handler: (html) => html.replace('href="./"', 'href="/dashboard/"') },
};

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // Relative where it is built, since PUBLIC_URL may have a path. The server sets `<base>`.
  base: command === "build" ? "./" : "/dashboard/",
  plugins: [tailwindcss(), arrivalFirst, baseOfDevelopment],
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
}));
