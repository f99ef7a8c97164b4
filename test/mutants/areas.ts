import { globSync } from "node:fs";
import { root } from "../../scripts/test-files.ts";

/** A part of Clew whose tests the campaign examines. */
export interface Area {
  /** Patterns of its files, below the root. */
  readonly files: readonly string[];
  readonly without?: readonly string[];
  /** Patterns of the tests that may kill its mutants. Other tests are not asked, so the score is a lower bound. */
  readonly tests: readonly string[];
}

const server = "packages/server/src";

/** The files of the gate. The area `auth` is the rest of their folder. */
const gateFiles = ["gate", "authenticate", "credentials", "found-callers", "security-log"].map(
  (name) => `${server}/auth/${name}.ts`,
);

const authTests = [
  `${server}/auth/**/*.test.ts`,
  `${server}/api/{apps,audit,auth,sign-in,tokens}/**/*.test.ts`,
  `${server}/cli/{connections,keys,lost-key,program}.test.ts`,
  `${server}/buckets/*.test.ts`,
  "test/oauth/*.test.ts",
  "test/process/{command-line,people,two-instances}.test.ts",
];

/** The areas by name, in the order in which the campaign examines them. */
export const areas: Readonly<Record<string, Area>> = {
  auth: { files: [`${server}/auth/**/*.ts`], without: gateFiles, tests: authTests },
  gate: {
    files: [...gateFiles, `${server}/http/limits/rate-limits.ts`, `${server}/http/own-host.ts`],
    tests: [...authTests, `${server}/http/**/*.test.ts`, "test/surface/own-host.test.ts"],
  },
  secrets: {
    files: [`${server}/secrets/*.ts`],
    tests: [
      `${server}/secrets/*.test.ts`,
      `${server}/auth/{signing-keys,session-tokens,service-tokens}.test.ts`,
      `${server}/cli/{keys,lost-key}.test.ts`,
      `${server}/operations/cursors.test.ts`,
    ],
  },
  cursors: {
    files: [
      `${server}/operations/{cursors,changes,page-filters,response-budget}.ts`,
      `${server}/api/list-page.ts`,
    ],
    tests: [
      `${server}/operations/*.test.ts`,
      `${server}/api/list-page.test.ts`,
      `${server}/api/{audit,graph}/*.test.ts`,
      `${server}/api/tokens/list.test.ts`,
    ],
  },
  walks: { files: ["packages/graph/src/walk/*.ts"], tests: ["packages/graph/src/**/*.test.ts"] },
  "sync-decisions": {
    files: [
      `${server}/sync/{schedule,storage-limits,work-queue}.ts`,
      `${server}/sync/{looks,jobs}/*.ts`,
      `${server}/sync/steps/{crawl,fetch-texts,finish,hydrate,list,place-nodes,plan,remove-missing}.ts`,
    ],
    tests: [`${server}/sync/**/*.test.ts`],
  },
  "store-queries": {
    files: [`${server}/store/queries/*.ts`],
    tests: [
      `${server}/{activity,auth,connections,graphs,store/queries,sync,texts}/**/*.test.ts`,
      `${server}/{cli,store}/*.test.ts`,
      `${server}/api/{audit,auth,graph,tokens,workspaces}/*.test.ts`,
    ],
  },
};

const found = (patterns: readonly string[], exclude: readonly string[]): readonly string[] =>
  globSync([...patterns], { cwd: root, exclude: [...exclude] }).sort();

/** The files of an area whose code is changed, relative to the root: no tests and nothing that only tests use. */
export const filesOf = ({ files, without = [] }: Area): readonly string[] =>
  found(files, [...without, "**/*.test.ts", "**/testing/**"]);

/** The test files that an area's mutants may be killed by, relative to the root. */
export const testsOf = ({ tests }: Area): readonly string[] => found(tests, []);
