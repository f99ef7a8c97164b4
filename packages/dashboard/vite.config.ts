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

/** The pages whose policy allows no script. They look as the system does. */
const withoutScripts = ["not-connected.html", "sign-in-code.html"];

/**
 * Loads the script that sets the chosen appearance as a classic one before the stylesheet, on every page with scripts: the first paint waits for it.
 */
const appearanceFirst: Plugin = {
  name: "appearance-first",
  apply: "build",
  buildStart() {
    this.emitFile({ type: "chunk", id: join(import.meta.dirname, "src/ui/appearance-early.ts") });
  },
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle = {}, filename }) {
      if (withoutScripts.some((name) => filename.endsWith(name))) return html;
      const script = Object.values(bundle).find(
        (chunk) => chunk.type === "chunk" && chunk.facadeModuleId?.endsWith("/appearance-early.ts"),
      );
      if (script === undefined) throw new Error("the script of the appearance was not built");
      return html.replace("<title>", `<script src="./${script.fileName}"></script>\n    <title>`);
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

/**
 * The modules that are loaded with the application. The others are loaded with a view: the reader of texts, the parts of
 * the sections besides the graph, and the views themselves, but for the little of them that the frame needs. What several views
 * share is here where it is small: a chunk of its own that a view waits for cannot be asked for again after it failed.
 */
const inAllViews = [
  "/node_modules/",
  "/packages/client/",
  "/src/ui/(?!markdown|appearance-early|audit-table|confirm|user-agent)",
  "/src/routes/(?!sections)",
  "/src/api/(?!early)",
  "/src/(?:paths|url-params)",
  "/src/views/account/sign-out",
  "/src/views/graph/(?:queries|page-choice|page-name|page-picker|marked-text|place|pending|section)",
  "/src/views/graph/path/words",
  "/src/views/(?:graph/\\w+|map)/\\w+-params",
];

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // Relative where it is built, since PUBLIC_URL may have a path. The server sets `<base>`.
  base: command === "build" ? "./" : "/dashboard/",
  plugins: [tailwindcss(), arrivalFirst, appearanceFirst, preloadTemplates, baseOfDevelopment],
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
            // The modules of every view: one file instead of a dozen, each of which would wait for a connection.
            { name: "shared", test: new RegExp(inAllViews.join("|")) },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": server, "/demo": server, "/docs": server } },
}));
