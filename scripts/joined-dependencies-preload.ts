import { readdirSync } from "node:fs";
import { registerHooks } from "node:module";

// Runs first in every process and thread of a test run, from the folder of joined dependencies.

const joined = new Map(
  readdirSync(import.meta.dirname).map((file) => [
    file.replace(/\.js$/, ""),
    new URL(file, import.meta.url).href,
  ]),
);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isImport = context.conditions.includes("import");
    const url = isImport ? joined.get(specifier) : undefined;
    if (url !== undefined) return { url, format: "module", shortCircuit: true };
    // Node would look for the file and for the package.json of its folder.
    if (isImport && /^\.\.?\/.*\.ts$/.test(specifier) && context.parentURL?.startsWith("file:"))
      return {
        url: new URL(specifier, context.parentURL).href,
        format: "module-typescript",
        shortCircuit: true,
      };
    return nextResolve(specifier, context);
  },
});
