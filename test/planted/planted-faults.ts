/** A fault that a change could bring in, and the test that must see it. */
export interface PlantedFault {
  /** The campaign, or the kind of test of `test/limits.ts`. */
  readonly by: string;
  /** What Clew does because of the fault. */
  readonly name: string;
  /** The file that it changes, below the root. */
  readonly file: string;
  /** Texts that the file has once, and those in their places. */
  readonly changes: readonly (readonly [text: string, replacement: string])[];
  /** The test file that is run, if not the campaign. */
  readonly testFile?: string;
  /** The variables of the run. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What the test prints when it sees the fault. */
  readonly seen: RegExp;
}

/** The variables of a simulation that ends at the first broken seed: not every seed sees every fault. */
const simulation = { SEED: "1", SEEDS: "60", AGAIN: "0", STOP_AFTER: "1" };

/** Faults by the test that must see them, in its words. `npm run campaign planted` plants each. */
export const plantedFaults: readonly PlantedFault[] = [
  {
    by: "simulation",
    name: "a lease ends at once",
    file: "packages/server/src/sync/jobs/lease.ts",
    changes: [["leaseMs = 15_000", "leaseMs = 0"]],
    variables: simulation,
    seen: /the reading with grant \d+ contradicts itself/,
  },
  {
    by: "simulation",
    name: "an instance does not see a revocation",
    file: "packages/server/src/store/wrappers/caller-batches.ts",
    changes: [
      [
        "if (version !== knownVersion) known.clear();",
        'for (const id of [...known.keys()]) if (version !== knownVersion && !id.startsWith("token")) known.delete(id);',
      ],
    ],
    variables: simulation,
    seen: /token \d+ of Ann contradicts itself/,
  },
  {
    by: "simulation",
    name: "a request is answered before the commit",
    file: "packages/server/src/auth/live-sessions.ts",
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
    variables: simulation,
    seen: /(token|session) \d+ of Ann contradicts itself/,
  },
  {
    by: "simulation",
    name: "a sync passes over a failed page",
    file: "packages/server/src/sync/steps/fetch-texts.ts",
    changes: [
      ["  signal.throwIfAborted();\n  report.failedText();", "  signal.throwIfAborted();"],
      ["  await database.transaction((trx) => failContent(trx, connectionId, id, reason));", ""],
    ],
    variables: simulation,
    seen: /the page that Ben shares contradicts itself/,
  },
  {
    by: "folder-edits",
    name: "files that move get new ids",
    file: "packages/folder/src/workspace/page-memory.ts",
    changes: [["findMoves(this.#withLost(gone), come, renamed)", "new Map<string, string>()"]],
    variables: { RUNS: "1", EDITS: "60", SEED: "1" },
    seen: /./,
  },
];
