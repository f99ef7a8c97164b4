import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

// Every process and thread of a test run loads this first. It changes one place of one file as that file is loaded.
const mutant = process.env.TEST_MUTANT;
if (mutant !== undefined) {
  const { url, start, end, text } = JSON.parse(mutant);
  registerHooks({
    load(address, context, nextLoad) {
      if (address !== url) return nextLoad(address, context);
      const source = readFileSync(fileURLToPath(address), "utf8");
      return {
        format: "module-typescript",
        source: source.slice(0, start) + text + source.slice(end),
        shortCircuit: true,
      };
    },
  });
}
