import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

// Every process and thread of a test run loads this first: NODE_OPTIONS, which tests pass on, has its address with the
// mutant. It changes one place of one file as that file is loaded.
const mutant = new URL(import.meta.url).searchParams;
const [url, start, end] = [mutant.get("url"), Number(mutant.get("start")), Number(mutant.get("end"))];

registerHooks({
  load(address, context, nextLoad) {
    if (address !== url) return nextLoad(address, context);
    const source = readFileSync(fileURLToPath(address), "utf8");
    return {
      format: "module-typescript",
      source: source.slice(0, start) + mutant.get("text") + source.slice(end),
      shortCircuit: true,
    };
  },
});
