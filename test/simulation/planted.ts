import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

/** A fault that a change could bring in: another text in place of one that a file has once. */
interface PlantedFault {
  /** The file, below packages/server/src. */
  readonly file: string;
  /** The line that the simulation prints when it sees the fault. */
  readonly seen: RegExp;
  readonly changes: readonly (readonly [text: string, replacement: string])[];
}

/** Faults that the simulation must see. They are planted as a file is loaded, so that Clew itself has no switch for them. */
export const plantedFaults = {
  "a lease that ends at once": {
    file: "sync/jobs/lease.ts",
    seen: /the reading with grant \d+ contradicts itself/,
    changes: [["leaseMs = 15_000", "leaseMs = 0"]],
  },
  "a revocation that one instance does not see": {
    file: "store/wrappers/caller-batches.ts",
    seen: /token \d+ of Ann contradicts itself/,
    changes: [
      [
        "if (version !== knownVersion) known.clear();",
        'for (const id of [...known.keys()]) if (version !== knownVersion && !id.startsWith("token")) known.delete(id);',
      ],
    ],
  },
  "an answer before the commit": {
    file: "auth/live-sessions.ts",
    seen: /(token|session) \d+ of Ann contradicts itself/,
    changes: [
      [
        "transaction: (work) =>\n      database.transaction(",
        "transaction: (work) => new Promise((resolve, reject) => database.transaction(",
      ],
      [
        "return work(trx);\n      }),",
        "resolve(await work(trx));\n await new Promise((end) => setTimeout(end, 30));\n }).catch(reject)),",
      ],
    ],
  },
  "a sync that passes over a failed page": {
    file: "sync/steps/fetch-texts.ts",
    seen: /the page that Ben shares contradicts itself/,
    changes: [
      ["  signal.throwIfAborted();\n  report.failedText();", "  signal.throwIfAborted();"],
      ["  await database.transaction((trx) => failContent(trx, connectionId, id, reason));", ""],
    ],
  },
} as const satisfies Record<string, PlantedFault>;

export type PlantedName = keyof typeof plantedFaults;

/** Has the modules of Clew that are loaded from now on contain a fault. Throws if the file no longer has the text. */
export function plant(name: string): void {
  const fault: PlantedFault | undefined = new Map<string, PlantedFault>(Object.entries(plantedFaults)).get(
    name,
  );
  if (fault === undefined) throw new Error(`There is no planted fault "${name}".`);
  const file = new URL(`../../packages/server/src/${fault.file}`, import.meta.url);
  let source = readFileSync(file, "utf8");
  for (const [text, replacement] of fault.changes) {
    if (source.split(text).length !== 2) throw new Error(`${fault.file} does not have "${text}" once.`);
    source = source.replace(text, () => replacement);
  }
  registerHooks({
    load: (address, context, nextLoad) =>
      address === file.href
        ? { format: "module-typescript", source, shortCircuit: true }
        : nextLoad(address, context),
  });
}
