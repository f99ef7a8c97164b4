import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

/** Changes the source of one module of TypeScript, by its address, as it is loaded in this process or thread. */
export function changeModule(url: string, change: (source: string) => string): void {
  registerHooks({
    load: (address, context, nextLoad) =>
      address === url
        ? {
            format: "module-typescript",
            source: change(readFileSync(fileURLToPath(url), "utf8")),
            shortCircuit: true,
          }
        : nextLoad(address, context),
  });
}
