import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

/** The Clew that the development server passes requests to. */
const server = process.env.CLEW_URL ?? "http://localhost:8420";

const arrivalPreload = /<link rel="modulepreload" crossorigin href="([^"]*\/arrival-[^"]*)">\n\s*/;

/**
 * Loads the module that cleans the address bar as a script of its own, before the others: it then runs even if these
 * cannot be loaded. It is `async`, so that it does not wait for the stylesheet.
 */
const arrivalFirst: Plugin = {
  name: "arrival-first",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(html) {
      const [, file] = arrivalPreload.exec(html) ?? [];
      if (file === undefined) return html;
      const script = `<script type="module" async crossorigin src="${file}"></script>\n    `;
      return html
        .replace(arrivalPreload, "")
        .replace('<script type="module"', `${script}<script type="module"`);
    },
  },
};

/** The modules that each template of `index.html` preloads, as `data-preload` names it: a module, relative to `src`. */
const preloadTemplate = /<template data-preload="([^"]+)"[^>]*><\/template>/g;

/**
 * Writes the chunks of a module, and all that they import, into templates: `arrival.ts` has the browser load them for people
 * who are signed in, before the modules run that would ask for them.
 */
const preloadTemplates: Plugin = {
  name: "preload-templates",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle = {} }) {
      const written = new Set(
        [...html.matchAll(/(?:href|src)="\.\/(assets\/[^"]+\.js)"/g)].map(([, name]) => name),
      );
      return html.replace(preloadTemplate, (template, module: string) => {
        const names: string[] = [];
        const take = (name: string) => {
          const chunk = bundle[name];
          if (written.has(name) || chunk?.type !== "chunk") return;
          written.add(name);
          names.push(name);
          for (const imported of chunk.imports) take(imported);
        };
        const entry = Object.values(bundle).find(
          (chunk) => chunk.type === "chunk" && chunk.facadeModuleId?.endsWith(`/src/${module}`),
        );
        if (entry === undefined) throw new Error(`index.html preloads ${module}, which is no chunk`);
        take(entry.fileName);
        const links = names.map((name) => `<link rel="modulepreload" crossorigin href="./${name}">`);
        return template.replace("></template>", `>${links.join("")}</template>`);
      });
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
  plugins: [tailwindcss(), arrivalFirst, preloadTemplates, baseOfDevelopment],
  build: {
    target: ["chrome125", "firefox128", "safari18"],
    // The policy of the page allows no data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: [
        "index.html",
        "not-found.html",
        "not-connected.html",
        "sign-in-code.html",
        "docs.html",
        "reference.html",
      ].map((name) => join(import.meta.dirname, name)),
      checks: { moduleLevelDirective: false },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: "arrival", test: /session\/(arrival|urls)\.ts$/ },
            // The code that the sign-in page and the application share. `main.ts` waits for the application, so it is not in here.
            {
              name: "start",
              test: /\/src\/((words|api\/early-requests)\.ts|clew\.svg|session\/)|preload-helper/,
            },
            // One file instead of a dozen: each would wait for a connection. Texts are shown by one view alone, which loads their reader.
            {
              name: "shared",
              test: /\/node_modules\/|\/src\/(ui\/(?!markdown)|routes\/)|\/src\/api\/(?!early)/,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": server, "/demo": server, "/docs": server } },
}));
