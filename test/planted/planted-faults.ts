/** A fault that a change could bring in, and the test that must see it. */
export interface PlantedFault {
  /** The campaign, or the kind of test of `test/limits.ts`. */
  readonly by: string;
  /** The fault in words: the effect on Clew. */
  readonly name: string;
  /** The file that it changes, below the root. */
  readonly file: string;
  /** Texts that the file has once, and those in their places. */
  readonly changes: readonly (readonly [text: string, replacement: string])[];
  /** The test file that is run, if not the campaign. */
  readonly testFile?: string;
  /** The variables of the run. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The need of the run besides this project. */
  readonly needs?:
    | "root on Linux"
    | "Linux"
    | "the postgresql of Debian"
    | "the registry"
    | "debootstrap, systemd-nspawn and lintian, as root"
    | "bubblewrap and the registries";
  /** Matches the output of a test that sees the fault. */
  readonly seen: RegExp;
}

/** The variables of a simulation that ends at the first broken seed: not every seed sees every fault. */
const simulation = { SEED: "1", SEEDS: "60", AGAIN: "0", STOP_AFTER: "1" };

/** Changes of `live-sessions.ts` by which a write is answered this many milliseconds before its commit. */
const answerBeforeCommit = (milliseconds: number): PlantedFault["changes"] => [
  [
    "transaction: (work) =>\n      database.transaction(",
    "transaction: (work) => new Promise((resolve, reject) => database.transaction(",
  ],
  [
    "return work(trx);\n      }),",
    `resolve(await work(trx));\n await new Promise((end) => setTimeout(end, ${milliseconds}));\n }).catch(reject)),`,
  ],
];

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
    changes: answerBeforeCommit(30),
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
    seen: /\.md moved to .+\.md/,
  },
  {
    by: "kill",
    name: "a write is acknowledged before its commit",
    file: "packages/server/src/auth/live-sessions.ts",
    changes: answerBeforeCommit(300),
    variables: { ROUNDS: "1", SEED: "1" },
    seen: /is neither good nor revoked: .*token_invalid|its acknowledged end is lost/,
  },
  {
    by: "kill-sync",
    name: "texts wait for others before they are written",
    file: "packages/server/src/sync/steps/fetch-texts.ts",
    changes: [
      [
        "last = last.then(writeWaiting);",
        "last = last.then(() => new Promise((end) => setTimeout(end, 500))).then(writeWaiting);",
      ],
    ],
    variables: { ROUNDS: "1", SEED: "1" },
    seen: /texts were requested again after/,
  },
  {
    by: "apps",
    name: "an expired code gives a token",
    file: "packages/server/src/auth/apps/exchange.ts",
    changes: [['  if (code.expiresAt <= now) return invalidGrant("It has expired.");\n', ""]],
    variables: { RUNS: "10", SEED: "1" },
    seen: /a code served that had ended or been presented/,
  },
  {
    by: "held-writes",
    name: "a session is not confirmed after the body arrived",
    file: "packages/server/src/auth/gate.ts",
    changes: [
      [
        "|| request.body === undefined) return done();",
        '|| request.caller.kind === "session") return done();',
      ],
    ],
    variables: { ROUNDS: "3", SEED: "1" },
    seen: /bytes held[\s\S]*- {3}'token_revoked'/,
  },
  {
    by: "outages",
    name: "a failed commit counts as one that succeeded",
    file: "packages/server/src/store/sqlite/driver.ts",
    changes: [
      [
        '    file.run("commit");',
        '    try {\n file.run("commit");\n } catch {\n if (file.inTransaction) file.run("rollback");\n }',
      ],
    ],
    variables: { ONLY: "full-disk" },
    needs: "root on Linux",
    seen: /tokens fit on a full disk/,
  },
  {
    by: "restore",
    name: "the old database is deleted before the new one has its name",
    file: "packages/server/src/store/sqlite/restore.ts",
    changes: [
      [
        "await fsyncFolder(folder);\n  await rename(",
        "await rm(path, { force: true });\n  await fsyncFolder(folder);\n  await rename(",
      ],
    ],
    variables: { SEEDS: "1", SEED: "176" },
    seen: /BROKEN CommandError: There is no database at/,
  },
  {
    by: "restore",
    name: "the log of the old database is not written into it",
    file: "packages/server/src/store/sqlite/restore.ts",
    changes: [['    file.pragma("journal_mode = delete");\n', ""]],
    variables: { SEEDS: "1", SEED: "176" },
    seen: /the users are after,before$/m,
  },
  {
    by: "slow-clients",
    name: "one address may have all connections",
    file: "packages/server/src/http/limits/connection-guard.ts",
    changes: [["connectionsPerAddress: connections / 4", "connectionsPerAddress: connections"]],
    variables: { ONLY: "heads", SECONDS: "20" },
    needs: "Linux",
    seen: /from another address (\d+) of (?!\1 )/,
  },
  {
    by: "faults",
    name: "a search that breaks off is reported as a whole one",
    file: "packages/server/src/sync/steps/list.ts",
    changes: [["report.unanswered(`failed to list the rest", "void (`failed to list the rest"]],
    variables: { KINDS: "cursor expired", SEEDS: "3", SEED: "1" },
    seen: /was shown, and is missing|is gone, and is still stored/,
  },
  {
    by: "equal",
    name: "PostgreSQL says that a page has a link once, however often it has it",
    file: "packages/server/src/store/postgres/graph-rows.ts",
    changes: [
      [
        "const selectReferences = `\n  select type, name, count,",
        "const selectReferences = `\n  select type, name, 1 as count,",
      ],
      [
        "from_id between $2 and $3 group by type, name, count",
        "from_id between $2 and $3 group by type, name",
      ],
    ],
    variables: { SEEDS: "1", SEED: "1" },
    seen: /AssertionError \[ERR_ASSERTION\]: seed 1: api\/v1\//,
  },
  {
    by: "move-person",
    name: "a repeated move leaves the old rows",
    file: "packages/server/src/buckets/move-person.ts",
    changes: [
      [
        "if (!isLive) return this.#move(from);\n      await this.#leave(source);",
        "if (!isLive) return this.#move(from);",
      ],
    ],
    seen: /their old rows are still to be deleted/,
  },
  {
    by: "instances",
    name: "an instance remembers callers whose credentials another one has ended",
    file: "packages/server/src/store/wrappers/caller-batches.ts",
    changes: [
      ["commitVersion = () => Number.NaN", "commitVersion = () => 0"],
      ["maxRecords = 1,", "maxRecords = 1_000,"],
    ],
    variables: { OPERATIONS: "400", SEED: "1" },
    seen: /(token|session) .* works after its end was acknowledged/,
  },
  {
    by: "instances",
    name: "an instance goes by the clock of its machine",
    file: "packages/server/src/store/postgres/clock.ts",
    changes: [["Math.round(monotonic() + best.offset)", "Date.now()"]],
    variables: { OPERATIONS: "400", SEED: "1" },
    seen: /session: .*"code":"token_invalid"/,
  },
  {
    by: "the surface",
    name: "the token of a connected app opens all of V1",
    file: "packages/server/src/auth/gate.ts",
    changes: [['caller.resource === "mcp" && access.resource !== "mcp"', "false"]],
    testFile: "test/surface/matrix.test.ts",
    seen: /cells are wrong:\n.*: 200, not 40/,
  },
  {
    by: "properties and slow models",
    name: "a path has a step too many",
    file: "packages/graph/src/walk/shortest-paths.ts",
    changes: [["searched >= route.limit", "searched > route.limit"]],
    testFile: "packages/graph/src/walk/paths.test.ts",
    seen: /✖ GRAPH-8: paths equal those of the plain model/,
  },
  {
    by: "conformance",
    name: "a person may have eleven usable tokens",
    file: "packages/server/src/auth/service-tokens.ts",
    changes: [["now)) < usablePerUser) return;", "now)) <= usablePerUser) return;"]],
    testFile: "test/conformance/conformance.test.ts",
    seen: /✖ §8: At most 10 service tokens per user/,
  },
  {
    by: "tests in a browser",
    name: "a page of the dashboard parses text as markup",
    file: "packages/server/src/api/built-files.ts",
    changes: [["  \"require-trusted-types-for 'script'\",\n", ""]],
    testFile: "test/browser/policy.test.ts",
    seen: /✖ ERR-6: the page .* parses no text as markup/,
  },
  {
    by: "failover",
    name: "a commit does not wait for the replica",
    file: "packages/server/src/store/postgres/database.ts",
    changes: [
      [
        "begin isolation level serializable, read write; ",
        "begin isolation level serializable, read write; set local synchronous_commit = off; ",
      ],
    ],
    variables: { ROUNDS: "1" },
    needs: "the postgresql of Debian",
    seen: /was acknowledged and is lost|is valid after its revocation/,
  },
  {
    by: "starvation",
    name: "the grants of all people share one rate limit",
    file: "packages/notion/src/api.ts",
    changes: [["limiterOf(accessToken)", 'limiterOf("all")']],
    variables: { LARGE: "10", LARGE_PAGES: "300", SMALL: "20", SMALL_PAGES: "20", ARRIVAL_SECONDS: "10" },
    seen: /AssertionError.*titles after/,
  },
  {
    by: "accessibility",
    name: "the dashboard does not name its language",
    file: "packages/server/src/api/dashboard.ts",
    changes: [['name), "utf8")).replace(', 'name), "utf8")).replace(\' lang="en"\', "").replace(']],
    variables: { WALK: "map" },
    seen: /✖ .*html-has-lang/,
  },
  {
    by: "large",
    name: "the progress of a sync is not told",
    file: "packages/server/src/present/sync.ts",
    changes: [["done: sync.done,", "done: 0,"]],
    variables: { PAGES: "1500" },
    seen: /progress was shown [01] times/,
  },
  {
    by: "packages",
    name: "the npm package has the time at which it was built",
    file: "packaging/npm/build.ts",
    changes: [["private: true,", "private: true, builtAt: Date.now(),"]],
    variables: { NPM: "11.19.1" },
    needs: "the registry",
    seen: /the second build has other bytes/,
  },
  {
    by: "install",
    name: "the bootstrap makes no link to the Node that it has installed",
    // The campaign runs in a copy of the checkout, so the copy gets the fault.
    file: "test/install/bare-machine.ts",
    changes: [
      [
        "await cp(root, work, { recursive: true, filter: isInClone });",
        `{
          await cp(root, work, { recursive: true, filter: isInClone });
          const { readFileSync, writeFileSync } = await import("node:fs");
          const bootstrap = join(work, "scripts/bootstrap.mjs");
          const source = readFileSync(bootstrap, "utf8");
          writeFileSync(bootstrap, source.replace("\\nlinkNode();\\n", "\\n"));
        }`,
      ],
    ],
    variables: { NPM: "10.8.2" },
    needs: "the registry",
    seen: /Clew needs Node .* the one on the PATH is/,
  },
  {
    by: "debian",
    name: "a purge of the Debian package leaves the data behind",
    file: "packaging/debian/build.ts",
    changes: [['["postinst", "prerm", "postrm"]', '["postinst", "prerm"]']],
    needs: "debootstrap, systemd-nspawn and lintian, as root",
    seen: /\/var\/lib\/private\/clew/,
  },
  {
    by: "image",
    name: "files of packages can be run as programs in the image",
    file: "packaging/image/contents.ts",
    changes: [["mode: 0o644, content }", "mode: 0o755, content }"]],
    variables: { ONLY: "amd64" },
    needs: "bubblewrap and the registries",
    seen: /other programs are in it/,
  },
];
