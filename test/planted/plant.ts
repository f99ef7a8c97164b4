import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PlantedFault } from "./planted-faults.ts";

// Every process and thread of a run with a planted fault loads this first: NODE_OPTIONS, which tests pass on, has its address with
// the fault. It changes the text of one module as that is loaded, so that Clew has no switch for tests.
const { file: path, changes }: Pick<PlantedFault, "file" | "changes"> = JSON.parse(
  new URL(import.meta.url).searchParams.get("fault") ?? "",
);
const file = join(import.meta.dirname, "../..", path);
const source = changes.reduce(
  (text, [before, after]) => text.replace(before, () => after),
  readFileSync(file, "utf8"),
);
const { href } = pathToFileURL(file);

registerHooks({
  load: (address, context, nextLoad) =>
    address === href
      ? { format: "module-typescript", source, shortCircuit: true }
      : nextLoad(address, context),
});
