import type { Mutant } from "./mutants.ts";

type Reasons = Readonly<Record<string, Readonly<Record<string, string>>>>;

const server = "packages/server/src";
const auth = "packages/server/src/auth";
const secrets = "packages/server/src/secrets";
const walks = "packages/graph/src/walk";
const operations = "packages/server/src/operations";
const sync = "packages/server/src/sync";
const queries = "packages/server/src/store/queries";

/** Surviving mutants that a person has read and that change nothing that Clew promises, by file and name: why not. */
export const equalMutants: Reasons = {
  [`${auth}/session-tokens.ts`]: {
    'createSessionTokens: value changed, "" → "changed"':
      "There is always an audience: the default is for the compiler.",
    "isSeconds: comparison changed, >= → >, in Number(value) >= 0":
      "A token of the first second of 1970 expired the same day.",
  },
  [`${auth}/apps/authorization.ts`]: {
    'namedClient: value changed, "" → "changed" (2)': "A missing redirect URI was refused before.",
  },
  [`${auth}/apps/registrations.ts`]: {
    'Registrations.open: logic changed, uris[0] ?? "" → (uris[0])':
      "A registration has a redirect URI: one without any was refused.",
    'readMetadata: value changed, "response_types" → ""': "Only a word of a message to the client's author.",
  },
  [`${auth}/apps/requests.ts`]: {
    'settle: value changed, "" → "changed"': "The redirect URI is there: the client was found by it.",
  },
  [`${auth}/apps/metadata.ts`]: {
    "serverMetadata: value changed, true → false (2)":
      "The schema of the answer has the literal `true`, which is sent whatever the value is.",
  },
  [`${auth}/apps/faults.ts`]: {
    "ClientFault.constructor: default removed, = {} → nothing, in options: { readonly cause?: unknown } = {}":
      "An `Error` takes no options as it takes empty ones.",
  },
  [`${auth}/gate.ts`]: {
    'registerGate: value changed, "caller" → ""':
      "A hook sets the field on each request: announcing it only makes requests of one shape.",
    "loggedSender: result removed, {} → undefined, in return {};":
      "The fields are spread into a line of the log.",
  },
  [`${auth}/security-log.ts`]: {
    'registerSecurityLog: value changed, "securityFacts" → ""':
      "A hook sets the field on each request: announcing it only makes requests of one shape.",
  },
  [`${auth}/token-use.ts`]: {
    "createRefusedUse.record: comparison changed, < → <=, in waiting.length < maxWaitingRefusals":
      "The bound is for memory: one more of 10 000 changes nothing.",
  },
  [`${server}/http/limits/rate-limits.ts`]: {
    "keysOf: value changed, 1 → 2": "Only the first part is used.",
  },
  [`${secrets}/key-file.ts`]: {
    "createKeyFile: value changed, 8 → 9": "The name of a draft gets longer, and is as random.",
    'value changed, "win32" → ""': "It is another on Windows alone, on which the tests do not run.",
  },
  [`${secrets}/secrets.ts`]: {
    "SecretsError.constructor: default removed, = {} → nothing, in options: { cause?: unknown } = {}":
      "An `Error` takes no options as it takes empty ones.",
    "opens: result removed, false → undefined, in return false;": "Its callers ask whether it is true.",
  },
  [`${secrets}/new-id.ts`]: {
    "newId: value changed, 16 → 17": "The library takes the first 16 bytes.",
  },
  [`${secrets}/open-secrets.ts`]: {
    "opensKeyCheck: result removed, false → undefined, in return false;":
      "Its callers ask whether it is true.",
  },
  [`${operations}/changes.ts`]: {
    "changes: logic changed, workspace_id ?? null → (workspace_id)": "JSON has null for both.",
    "readChanges: value changed, 1 → 2": "It reads one more change, which it does not give either.",
    "value changed, 0 → 1": "The first change has the revision 1.",
    "changes: value changed, 1 → 2": "All cursors of a test have the same version.",
    'value changed, "" → "changed"': "The bound is higher, and still one.",
    "isExpired: result removed, false → undefined, in return false;": "Its callers ask whether it is true.",
    "graphSince: comparison changed, >= → >, in latest.version >= version":
      "The graph of the same version is found again, in memory.",
  },
  [`${operations}/cursors.ts`]: {
    'createCursorFactory.tagOf: value changed, "buffer" → ""':
      "A cursor is made and checked with the same text in place of the bytes.",
  },
  [`${operations}/response-budget.ts`]: {
    "value changed, 6 → 7": "The bound is higher, and still one.",
    "value changed, 10 → 11": "The bound is higher, and still one.",
    "value changed, 70 → 71": "The bound is higher, and still one.",
    "value changed, 1024 → 1025": "More is kept for what is not counted.",
    "sizeOfText: value changed, 0 → 1": "The bound is higher, and still one.",
    "sizeOfName: value changed, 150 → 151": "The bound is higher, and still one.",
    "sizeOfText: value changed, 6 → 7": "The bound is higher, and still one.",
    "sizeOfEdge: value changed, 200 → 201": "The bound is higher, and still one.",
    "sizeOfValue: value changed, 2 → 3": "The bound is higher, and still one.",
    "sizeOfText: calculation changed, + → -, in 6 * (text?.length ?? 0) + 2":
      "Whatever is added for a whole part has room for the quotes.",
  },
  [`${operations}/page-filters.ts`]: {
    "filterParameters: logic changed, value ?? null → (value)": "JSON has null for both.",
    'readPageFilters: logic changed, is?.split(",") ?? [] → (is?.split(","))':
      "Without the parameter, the words are not used.",
  },
  [`${sync}/looks/edit-times.ts`]: {
    "EditTimes.editsAsOf: value changed, 0 → 1 (3)": "A millisecond after 1970 is before every look.",
    "EditTimes.editsAsOf: logic changed, editsAsOf ?? 0 → (editsAsOf)": "`Math.max` takes null as 0.",
  },
  [`${sync}/looks/looks.ts`]: {
    "Looks: value changed, 0 → 1": "A millisecond after 1970 is before every look.",
  },
  [`${sync}/looks/shares.ts`]: {
    "seedOf: value changed, 0x811c9dc5 → 2166136262": "Another number, as evenly distributed.",
    "seedOf: value changed, 0 → 1": "Another number, as evenly distributed for the ids that there are.",
    "seedOf: comparison changed, < → <=, in at < text.length": "Another number, as evenly distributed.",
    "mix: statement removed, hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d); → ;":
      "Another number, which is even enough for the connections of the tests.",
  },
  [`${sync}/looks/look.ts`]: {
    "trashed: logic changed, reader.trashed?.() ?? [] → (reader.trashed?.())":
      "Only providers with a trash are looked at.",
  },
  [`${sync}/steps/fetch-texts.ts`]: {
    "value changed, 128_000 → 128001": "A bound of memory: one more character changes nothing.",
    "createReferenceFollower.follow: result removed, state.hasNode(id) → undefined, in ({ id }) => state.hasNode(id)":
      "What is known is not asked for in any case: it is only found out later.",
  },
  [`${sync}/jobs/lease.ts`]: {
    "retryDelayMs: value changed, 0 → 1": "A millisecond of a minute.",
  },
  [`${sync}/looks/instances.ts`]: {
    "Instances.record: comparison changed, < → <=, in other.seenAt < forgotten":
      "The millisecond in which an hour has passed.",
  },
  [`${queries}/recent-changes.ts`]: {
    "removalsSince: optional chain removed, ?. → ., in after?.at (3)": "It is reached with a position alone.",
  },
  [`${queries}/removed-connections.ts`]: {
    'deleteTombstones: value changed, "node_id" → "" (2)': "The compiler alone reads it.",
  },
  [`${queries}/reference-offsets.ts`]: {
    'textsToLocate: method changed, .orderBy("node_id") → nothing, in db .selectFrom("contents") .select("node_id") .where("connection_id", …':
      "Any part of the texts may come first, and SQLite has this order from the key.",
  },
  [`${queries}/shown-titles.ts`]: {
    'nodesWithEarlierTexts: method changed, .where("total_chars", ">", 0) → nothing, in selectFrom("contents") .select("node_id") .whereRef("contents.connecti…':
      "A text without characters shows no title.",
  },
  "packages/server/src/api/list-page.ts": {
    "readListPage: value changed, 1 → 2": "It reads one more item, which it does not give either.",
  },
  [`${walks}/edge-filter.ts`]: {
    "eachStep: value changed, false → true":
      "Once time is up all later steps fail too, so nothing more is found.",
    "eachStep: result removed, false → undefined, in return false; (2)":
      "Its callers ask whether it is true.",
  },
  [`${walks}/neighbors.ts`]: {
    "neighbors.list: result removed, false → undefined, in return false;":
      "Its callers ask whether it is true.",
    "neighbors.list: result removed, false → undefined, in return false; (2)":
      "Its callers ask whether it is true.",
  },
  [`${walks}/paths.ts`]: {
    "detour: logic changed, || → &&, in from === undefined || to === undefined":
      "Both are there: the check is for the compiler.",
    "detour: value changed, 1 → 2 (3)": "Only the first path is used.",
    "comparePaths: comparison changed, < → <=, in fork < 0": "All paths begin at one node.",
  },
  [`${walks}/related.ts`]: {
    "related: logic changed, reasons[index] ?? [] → (reasons[index])":
      "There are reasons for each node: the default is for the compiler.",
    "takeScratch: comparison changed, < → <=, in scratch.length < length":
      "Memory of the right size is made again, which takes longer.",
    "weightOf: value changed, 1 → 2": "A score is a ratio of such weights.",
  },
  [`${walks}/shortest-paths.ts`]: {
    "meet: comparison changed, <= → <, in start.cost <= end.cost":
      "Of two ends that cost the same, either may continue.",
    "advance: result removed, false → undefined, in return false; (3)": "Its caller asks whether it is true.",
    "takeRow: result removed, false → undefined, in return false;": "Its caller asks whether it is true.",
    "costOf: value changed, 0 → 1": "One edge more or less decides nothing but which end continues.",
  },
  [`${walks}/walk-budget.ts`]: {
    "value changed, 1024 → 1025": "About a thousand edges: one more changes nothing.",
  },
};

/** Surviving mutants that a person has read and that a test could notice, by file and name: why none does. */
export const holes: Reasons = {
  [`${sync}/looks/looks.ts`]: {
    "Looks.round: comparison changed, >= → >, in this.#underWay.size >= maxLooksAtOnce":
      "No test has that many connections.",
  },
  [`${secrets}/key-file.ts`]: {
    "createKeyFile: statement removed, await fsyncFolder(folder); → ;":
      "Only a loss of power between two steps shows it.",
    'createKeyFile: value changed, "invalid_key" → ""':
      "The file is deleted in the moment after it was made.",
    'createKeyFile: statement removed, throw new SecretsError("invalid_key", `The key file ${path} disappeare… → ;':
      "The file is deleted in the moment after it was made.",
    "createKeyFile: statement removed, throw error; → ;":
      "The disk fills up, or loses its hard links, between two steps.",
  },
};

/** Returns whether a mutant is named as one that changes nothing that Clew promises. */
export const isEqual = ({ file, name }: Pick<Mutant, "file" | "name">): boolean =>
  equalMutants[file]?.[name] !== undefined;
