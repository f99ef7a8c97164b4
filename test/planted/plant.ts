import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { changeModule } from "../support/change-module.ts";
import type { PlantedFault } from "./planted-faults.ts";

// Every process and thread of a run with a planted fault loads this first: NODE_OPTIONS, which tests pass on, has its address with
// the fault. It changes the text of one module as that is loaded, so that Clew has no switch for tests.
const { file, changes }: Pick<PlantedFault, "file" | "changes"> = JSON.parse(
  new URL(import.meta.url).searchParams.get("fault") ?? "",
);

changeModule(pathToFileURL(join(import.meta.dirname, "../..", file)).href, (source) =>
  changes.reduce((text, [before, after]) => text.replace(before, () => after), source),
);
