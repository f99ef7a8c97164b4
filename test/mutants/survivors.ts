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
    "value changed, 4096 → 4097": "Clew's own tokens are a tenth of it: one character more changes nothing.",
  },
  [`${auth}/apps/authorization.ts`]: {
    'namedClient: value changed, "" → "changed" (2)': "A missing redirect URI was refused before.",
  },
  [`${auth}/apps/registrations.ts`]: {
    'Registrations.open: logic changed, uris[0] ?? "" → (uris[0])':
      "A registration has a redirect URI: one without any was refused.",
    'readMetadata: value changed, "response_types" → ""': "Only a word of a message to the client's author.",
    'Registrations.open: value changed, "" → "changed" (2)': "An empty registration is not opened either.",
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
    "loggedSender: result removed, {} → undefined, in return {}; (2)":
      "The fields are spread into a line of the log.",
    'registerGate: statement removed, app.decorateRequest("caller"); → ;':
      "A hook sets the field on each request: announcing it only makes requests of one shape.",
    'registerGate: value changed, "session" → ""':
      "A route for sessions has no limit of its own: the comparison is for the compiler.",
    "registerGate.refusalFor: optional chain removed, ?. → ., in access?.kind":
      "A route without access was refused before: the question mark is for the compiler.",
    'registerGate.refusalFor: logic changed, request.raw.url ?? "" → (request.raw.url)':
      "A request has a target: the default is for the compiler.",
    'registerGate.refusalFor: value changed, "" → "changed"':
      "A request has a target: the default is for the compiler.",
    'loggedSender: value changed, "service-token" → ""':
      "The facts that were noted when it was authenticated have the same ids.",
  },
  [`${auth}/authenticate.ts`]: {
    "value changed, 1_000 → 1001": "The bound is for memory: one more changes nothing.",
    "createAuthentication.callerOf: logic changed, token.client?.resource ?? null → (token.client?.resource)":
      "The resource is only compared with that of the MCP transport.",
    "createAuthentication.authenticate: value changed, true → false":
      "The gate always says whether a request is counted.",
    "createAuthentication.authenticate: default removed, = true → nothing, in counted = true":
      "The gate always says whether a request is counted.",
  },
  [`${auth}/credentials.ts`]: {
    "isRepeated: comparison changed, < → <=, in at < rawHeaders.length":
      "Behind the last value there is nothing, which is no header.",
    "isRepeated: optional chain removed, ?. → ., in header?.length":
      "Names and values come in pairs: the question mark is for the compiler.",
  },
  [`${auth}/security-log.ts`]: {
    'registerSecurityLog: value changed, "securityFacts" → ""':
      "A hook sets the field on each request: announcing it only makes requests of one shape.",
    'registerSecurityLog: statement removed, app.decorateRequest("securityFacts"); → ;':
      "A hook sets the field on each request: announcing it only makes requests of one shape.",
    "registerSecurityLog: comparison changed, < → <=, in statusCode < 300": "No response has the status 300.",
    "registerSecurityLog: value changed, 300 → 301": "No response has the status 300.",
    'writeSecurityEvent: value changed, "silent" → "" (2)':
      "Without a level of its own, a child has that of the log, which is silent.",
  },
  [`${auth}/token-use.ts`]: {
    "createRefusedUse.record: comparison changed, < → <=, in waiting.length < maxWaitingRefusals":
      "The bound is for memory: one more of 10 000 changes nothing.",
    "createRefusedUse: statement removed, return; → ;":
      "With nothing waiting, it ends at the first database.",
    "createTokenUse.lastUseOf: logic changed, lastUsedAt ?? 0 → (lastUsedAt)":
      "`Math.max` takes null for zero: the default is for the compiler.",
    "value changed, 10_000 → 10001": "The bound is for memory: one more changes nothing.",
  },
  [`${auth}/apps/exchange.ts`]: {
    'exchangeCode: value changed, "Bearer" → ""':
      "The schema of the answer has the literal `Bearer`, which is sent whatever the value is.",
  },
  [`${auth}/apps/document-network.ts`]: {
    "within: statement removed, signal.throwIfAborted(); → ;": "The signal was made a moment before.",
  },
  [`${auth}/sign-in/finish.ts`]: {
    "value changed, 1500 → 1501": "A failed sign-in waits a millisecond longer.",
  },
  [`${auth}/apps/redirect-uris.ts`]: {
    'redirectFault: value changed, "" → "changed" (3)': "An https address without a host is no URL.",
  },
  [`${server}/http/limits/rate-limits.ts`]: {
    "keysOf: value changed, 1 → 2": "Only the first part is used.",
    "keysOf: value changed, 4 → 5": "The library writes an IPv4 address as Node reads it.",
    'keysOf: value changed, "" → "changed"':
      "Splitting a text gives at least one part: the default is for the compiler.",
    'keysOf: default removed, = "" → nothing, in withoutZone = ""':
      "Splitting a text gives at least one part: the default is for the compiler.",
  },
  [`${secrets}/key-file.ts`]: {
    "createKeyFile: value changed, 8 → 9": "The name of a draft gets longer, and is as random.",
    'value changed, "win32" → ""': "It is another on Windows alone, on which the tests do not run.",
  },
  [`${secrets}/secrets.ts`]: {
    "SecretsError.constructor: default removed, = {} → nothing, in options: { cause?: unknown } = {}":
      "An `Error` takes no options as it takes empty ones.",
    "opens: result removed, false → undefined, in return false;": "Its callers ask whether it is true.",
    "opens: statement removed, throw error; → ;": "`open` throws no other error.",
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
    "changes: default removed, = changeLimits.standard → nothing, in limit = changeLimits.standard":
      "The schema of the query fills it in: the default is for the compiler.",
    "positionIn: comparison changed, > → >=, in version > position.seen":
      "In the version that was seen nothing lies beyond the position.",
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
    "sizeOfText: value changed, 2 → 3": "It is an upper bound: one byte more changes nothing.",
    "sizeOfNode: value changed, 600 → 601": "It is an upper bound: one byte more changes nothing.",
    "value changed, 256 → 257": "It is an upper bound: a little more changes nothing.",
  },
  [`${operations}/page-filters.ts`]: {
    "filterParameters: logic changed, value ?? null → (value)": "JSON has null for both.",
    'readPageFilters: logic changed, is?.split(",") ?? [] → (is?.split(","))':
      "Without the parameter, the words are not used.",
  },
  [`${sync}/looks/edit-times.ts`]: {
    "EditTimes.lookedAt: logic changed, latest ?? 0 → (latest)":
      "A comparison takes null for zero: the default is for the compiler.",
    "EditTimes.editsAsOf: value changed, 0 → 1 (3)": "A millisecond after 1970 is before every look.",
    "EditTimes.editsAsOf: logic changed, editsAsOf ?? 0 → (editsAsOf)": "`Math.max` takes null as 0.",
    "EditTimes.editsAsOf: value changed, 0 → 1 (4)": "No edit is as old as 1970.",
    "EditTimes.editsAsOf: logic changed, completeAsOf ?? 0 → (completeAsOf)":
      "`Math.max` takes null for zero: the default is for the compiler.",
  },
  [`${sync}/looks/looks.ts`]: {
    "Looks.round: comparison changed, <= → <, in dueAt <= now":
      "Such a look begins with the next round, a second later.",
    "Looks: value changed, 0 → 1": "A millisecond after 1970 is before every look.",
    "Looks.report: statement removed, continue; → ;":
      "What is said of the connections of others is not read.",
  },
  [`${sync}/looks/look.ts`]: {
    "trashed: logic changed, reader.trashed?.() ?? [] → (reader.trashed?.())":
      "Only providers with a trash are looked at.",
    "look: comparison changed, < → <=, in batch.length < batchSize": "A batch has one entry more.",
    "asksTrash: value changed, 0 → 1": "It is another minute of the five.",
  },
  [`${sync}/steps/fetch-texts.ts`]: {
    "value changed, 128_000 → 128001": "A bound of memory: one more character changes nothing.",
    "createReferenceFollower.follow: result removed, state.hasNode(id) → undefined, in ({ id }) => state.hasNode(id)":
      "What is known is not asked for in any case: it is only found out later.",
    "createTextWriter: value changed, 0 → 1": "The bound is for memory: one character less changes nothing.",
    "createTextWriter.writeWaiting: value changed, 0 → 1":
      "The bound and the estimate are for memory: one character of a batch changes nothing.",
  },
  [`${sync}/steps/hydrate.ts`]: {
    "mayHaveChanged: comparison changed, >= → >, in node.updatedAt >= plan.quietBefore":
      "The provider rounds times down by less than a minute, and readings overlap by two.",
  },
  [`${sync}/jobs/lease.ts`]: {
    "retryDelayMs: value changed, 0 → 1": "A millisecond of a minute.",
  },
  [`${sync}/looks/instances.ts`]: {
    "Instances.record: comparison changed, < → <=, in other.seenAt < forgotten":
      "The millisecond in which an hour has passed.",
    "value changed, 60 → 61": "What an instance said is kept a minute longer.",
  },
  [`${sync}/jobs/repeat.ts`]: {
    "repeat: value changed, 0 → 1": "The work begins a millisecond later.",
    "repeat: default removed, = 0 → nothing, in delayMs = 0":
      "A delay that is not given is not above zero either.",
  },
  [`${sync}/steps/crawl.ts`]: {
    "crawl: statement removed, await writer.flush(); → ;":
      "Whatever lists before it ends by writing what it took in, and nothing waits between two crawls.",
    "readColumns: logic changed, collections.find((collection) => collection.id === id)?.columns ?? nul… → (collections.find((collection) => collection.id === id)?.columns)":
      "An answer about a collection shows that collection: the default is for the compiler.",
    "readColumns: logic changed, || → &&, in databaseId === undefined || !state.hasNode(databaseId)":
      "A collection that is asked for has a stored database: none is removed during a crawl.",
  },
  [`${sync}/steps/finish.ts`]: {
    "finishSync: result removed, false → undefined, in return false;": "Its caller asks whether it is true.",
  },
  [`${sync}/work-queue.ts`]: {
    "WorkQueue.add: optional chain removed, ?. → ., in waiting?.has":
      "There is a map for each kind: the optional chain is for the compiler.",
  },
  [`${sync}/steps/list.ts`]: {
    "listEdits: statement removed, await writer.flush(); → ;": "`crawl`, which comes next, begins with it.",
    "listEdits: comparison changed, < → <=, in entry.updatedAt < since":
      "What was edited at that time is known: the readings overlap by two minutes.",
  },
  [`${queries}/recent-changes.ts`]: {
    "removalsSince: logic changed, after?.at ?? 0 → (after?.at)":
      "The condition is there only after an item: the default is for the compiler.",
    "removalsSince: optional chain removed, ?. → ., in after?.at (3)": "It is reached with a position alone.",
  },
  [`${queries}/references.ts`]: {
    "value changed, 3000 → 3001": "The bounds of both databases are far: one row more changes nothing.",
    "offsetsOf: logic changed, offsets ?? [] → (offsets)":
      "JSON has null for it, which `textOfLinks` reads as no places.",
  },
  [`${queries}/removed-connections.ts`]: {
    'deleteTombstones: value changed, "node_id" → "" (2)': "The compiler alone reads it.",
  },
  [`${queries}/reference-offsets.ts`]: {
    'textsToLocate: method changed, .orderBy("node_id") → nothing, in db .selectFrom("contents") .select("node_id") .where("connection_id", …':
      "Any part of the texts may come first, and SQLite has this order from the key.",
  },
  [`${queries}/shown-titles.ts`]: {
    "titlesOf: value changed, 1000 → 1001": "The titles are read in other parts, and are the same.",
    'nodesWithEarlierTexts: method changed, .where("total_chars", ">", 0) → nothing, in selectFrom("contents") .select("node_id") .whereRef("contents.connecti…':
      "A text without characters shows no title.",
  },
  [`${queries}/apps.ts`]: {
    "removeWorkspaceFromCodes: statement removed, continue; → ;":
      "The code is written with the workspaces that it has.",
  },
  [`${queries}/audit.ts`]: {
    'isNewOrigin: method changed, .limit(maxRefreshes) → nothing, in db .selectFrom("audit") .select(["address", "user_agent as userAgent"]…':
      "No session has more events: none is recorded beyond that number.",
    "isNewOrigin: result removed, false → undefined, in return false;": "Its caller asks whether it is true.",
    'deleteOldAudit: method changed, .orderBy("at") → nothing, in some .selectFrom("audit") .select("id") .where("at", "<", before) .whe…':
      "Whichever go first, all of them go.",
    "rowOf: logic changed, sessionId ?? null → (sessionId)": "A column that is left out is null.",
    "rowOf: logic changed, successorId ?? null → (successorId)": "A column that is left out is null.",
    "rowOf: logic changed, workspaceId ?? null → (workspaceId)": "A column that is left out is null.",
  },
  [`${queries}/authors.ts`]: {
    "authorsOf: method changed, .filter((id) => id !== null) → nothing, in Object.values(row).filter((id) => id !== null)":
      "The statement leaves nulls out: the filter is for the compiler.",
  },
  [`${queries}/callers.ts`]: {
    'idOfRow: value changed, "service-token" → ""': "A key of any kind but `session` is that of a token.",
  },
  [`${queries}/connection-list.ts`]: {
    "listConnections: value changed, 0 → 1": "A count is never null: the default is for the compiler.",
  },
  [`${queries}/containers.ts`]: {
    "value changed, 1000 → 1001": "A statement has one row more, and far fewer parameters than it may have.",
    'columnsOfDatabase: logic changed, row.columns ?? "[]" → (row.columns)':
      "The statement leaves nulls out: the default is for the compiler.",
  },
  [`${queries}/graph-pages.ts`]: {
    "upsertNodes: statement removed, return; → ;": "Without nodes nothing is written either.",
  },
  [`${queries}/graph-reading.ts`]: {
    "inText: value changed, 0 → 1": "A reference has a position: the default is for the compiler.",
    "inText: value changed, 0 → 1 (2)": "A reference has a position: the default is for the compiler.",
  },
  [`${queries}/installation.ts`]: {
    "readBucketMark: default removed, = null → nothing, in bucket = null":
      "Without a row there is no fingerprint either.",
  },
  [`${queries}/jobs.ts`]: {
    'putJob: value changed, "whole" → ""': "Without a follow-up nothing reads its extent.",
  },
  [`${queries}/maps.ts`]: {
    "findMap: logic changed, || → &&, in row === undefined || row.graph_version === null || row.digest === null":
      "The version and the digest are written together.",
  },
  [`${queries}/node-facts.ts`]: {
    "marksOf: default removed, = null → nothing, in verification = null":
      "`?.` takes a missing mark as it takes null.",
  },
  [`${queries}/people.ts`]: {
    "lastInhabited: value changed, 1 → 2": "Only the first row is used.",
  },
  [`${queries}/precompiled.ts`]: {
    "filledUp: negation removed, -1 → 1": "Any value of a list fills it up: it is in the list already.",
  },
  [`${queries}/reading-list.ts`]: {
    'requeueDueRereadings: method changed, .where("updated_at", "<=", now) → nothing, in requeuedTexts(trx, connectionId) .where("updated_at", "<=", now)':
      "A rereading is due a minute after the edit: one that is due is of an edit in the past.",
  },
  [`${queries}/service-tokens.ts`]: {
    "insertServiceToken: logic changed, token.createdByBrowser ?? null → (token.createdByBrowser)":
      "A column that is left out gets null.",
    "insertServiceToken: logic changed, token.client?.idHash ?? null → (token.client?.idHash)":
      "A column that is left out gets null.",
    "insertServiceToken: logic changed, token.client?.codeHash ?? null → (token.client?.codeHash)":
      "A column that is left out gets null.",
  },
  [`${queries}/sign-ins.ts`]: {
    "beginAttempt: logic changed, attempt.adding?.sessionId ?? null → (attempt.adding?.sessionId)":
      "A column that is left out gets null.",
  },
  [`${queries}/users.ts`]: {
    "listUsers: logic changed, tokens ?? 0 → (tokens)":
      "A count is never null: the default is for the compiler.",
    "listUsers: value changed, 0 → 1 (2)": "A count is never null: the default is for the compiler.",
  },
  "packages/server/src/api/list-page.ts": {
    "readListPage: value changed, 1 → 2": "It reads one more item, which it does not give either.",
  },
  [`${walks}/edge-filter.ts`]: {
    "followsAllTypes: result removed, types === edgeTypeSet(everyEdgeType) → undefined, in return types === edgeTypeSet(everyEdgeType);":
      "Each edge is asked for its type, which takes longer.",
    "eachStep: value changed, false → true":
      "Once time is up all later steps fail too, so nothing more is found.",
    "eachStep: result removed, false → undefined, in return false; (2)":
      "Its callers ask whether it is true.",
  },
  [`${walks}/neighbors.ts`]: {
    "eachReachable.take: value changed, false → true":
      "Once the budget is spent all later visits fail too, so nothing more is found.",
    "edgesInto.collect: result removed, false → undefined, in return false;":
      "Its callers ask whether it is true.",
    "neighbors.list: result removed, false → undefined, in return false;":
      "Its callers ask whether it is true.",
    "neighbors.list: result removed, false → undefined, in return false; (2)":
      "Its callers ask whether it is true.",
    "edgesInto.collect: result removed, false → undefined, in return false; (2)":
      "Its callers ask whether it is true.",
    "eachReachable: statement removed, return; → ;":
      "Without a visit for the start, there is none for any other node.",
    "eachReachable: statement removed, return; → ; (2)": "From an empty level no step leads on.",
  },
  [`${walks}/paths.ts`]: {
    "detour: logic changed, || → &&, in from === undefined || to === undefined":
      "Both are there: the check is for the compiler.",
    "detour: value changed, 1 → 2 (3)": "Only the first path is used.",
    "comparePaths: comparison changed, < → <=, in fork < 0": "All paths begin at one node.",
    "simplePaths: comparison changed, < → <=, in listed.length < maxPaths (3)":
      "It looks for more paths, and lists none of them.",
    "comparePaths: value changed, 0 → 1 (3)":
      "Paths of one length differ within it: the default is for the compiler.",
    "comparePaths: logic changed, b[fork] ?? 0 → (b[fork])":
      "Paths of one length differ within it: the default is for the compiler.",
  },
  [`${walks}/related.ts`]: {
    "related: logic changed, reasons[index] ?? [] → (reasons[index])":
      "There are reasons for each node: the default is for the compiler.",
    "takeScratch: comparison changed, < → <=, in scratch.length < length":
      "Memory of the right size is made again, which takes longer.",
    "weightOf: value changed, 1 → 2": "A score is a ratio of such weights.",
    "related: comparison changed, < → <=, in index < touched.length": "A zero is written over a zero.",
    "related: value changed, 1 → 2 (2)":
      "No sum is greater than `own`: it adds up some of the same weights, in the same order.",
    "followPaths.add: value changed, false → true":
      "Once the budget is spent all later visits fail too, so nothing more is found.",
    "followPaths.add: result removed, false → undefined, in return false;":
      "Its callers ask whether it is true.",
    "followPaths: comparison changed, < → <=, in row < between.nodes.length":
      "After the last node there is no kind, and so no path.",
    "reasonsFor: comparison changed, < → <=, in row < counts.length":
      "After the last count there is no path.",
    "reasonsFor: optional chain removed, ?. → nothing, in found[index]?.[byteAt(between.kinds, row)]":
      "Each index is that of a node: the optional chain is for the compiler.",
    "greatest: calculation changed, - → +, in limit - 1":
      "What is worse than all of the best is put in and taken out again, which takes longer.",
  },
  [`${walks}/shortest-paths.ts`]: {
    "meet: comparison changed, <= → <, in start.cost <= end.cost":
      "Of two ends that cost the same, either may continue.",
    "advance: result removed, false → undefined, in return false;": "Its caller asks whether it is true.",
    "advance: result removed, false → undefined, in return false; (3)": "Its caller asks whether it is true.",
    "isJoined: logic changed, || → &&, in !isWorthwhile || !budget.step(targets.length)":
      "It looks up what reading the rows would find, which takes longer.",
    "takeRow: result removed, false → undefined, in return false;": "Its caller asks whether it is true.",
    "takeRow: result removed, false → undefined, in return false; (3)": "Its caller asks whether it is true.",
    "nextInto: comparison changed, >= → >, in candidates.length * lookupCost >= edgesAhead(filter, node)":
      "Both ways find the same, and here cost the same.",
    "costOf: value changed, 0 → 1": "One edge more or less decides nothing but which end continues.",
    "isJoined: comparison changed, < → <=, in targets.length * lookupCost < edges":
      "Both ways find the same, and here cost the same.",
    "takeRow: comparison changed, < → <=, in first < endOfRow": "An empty stretch of a row adds nothing.",
    "takeRow: value changed, false → true":
      "Once time is up no path is read from a meeting, and it counts as a search that was cut.",
    "takeRow: result removed, false → undefined, in return false; (2)": "Its caller asks whether it is true.",
    "trace: value changed, 0 → 1": "The start is left last: nothing comes after it.",
    "nextInRows: comparison changed, < → <=, in at(adjacency.nodes, position) < least":
      "It finds the same node again.",
    "nextInRows: result removed, least → undefined, in return least;":
      "Once time is up, no path is read any more.",
    "isJoined: logic changed, && → ||, in edges > maxEdgesBesideHubs && targets.length * lookupCost < edges":
      "It looks up what reading the rows would find, which takes longer.",
    "advance: comparison changed, > → >=, in edgesAhead(filter, node) > maxEdgesBesideHubs":
      "A hub has about a thousand edges: one fewer changes nothing.",
  },
  [`${walks}/walk-budget.ts`]: {
    "value changed, 1024 → 1025": "About a thousand edges: one more changes nothing.",
    "WalkBudget.step: value changed, 1 → 2": "It looks at the clock twice as often.",
  },
};

/** Surviving mutants that a person has read and that a test could notice, by file and name: why none does. */
export const holes: Reasons = {
  [`${secrets}/key-file.ts`]: {
    "createKeyFile: statement removed, await fsyncFolder(folder); → ;":
      "Only a loss of power between two steps shows it.",
    'createKeyFile: value changed, "invalid_key" → ""':
      "The file is deleted in the moment after it was made.",
    'createKeyFile: statement removed, throw new SecretsError("invalid_key", `The key file ${path} disappeare… → ;':
      "The file is deleted in the moment after it was made.",
    "createKeyFile: statement removed, throw error; → ;":
      "The disk fills up, or loses its hard links, between two steps.",
    "createKeyFile: value changed, true → false (2)":
      "The draft cannot be created, and another error is reported.",
    "createKeyFile: statement removed, await file.sync(); → ;": "Only a loss of power shows it.",
  },
  [`${auth}/apps/document-network.ts`]: {
    "connect: value changed, 443 → 444": "Only a server in the public internet shows it.",
    "resolve: result removed, (await lookup(hostname, { all: true })).map(({ address }) => address) → undefined, in async (hostname) => (await lookup(hostname, { all: true })).map(({ add…":
      "Only a name server in the public internet shows it.",
  },
  [`${operations}/changes.ts`]: {
    'changes: value changed, "changes" → ""': "No test has a cursor of changes that an earlier version made.",
  },
  [`${sync}/steps/fetch-texts.ts`]: {
    "createTextWriter.add: statement removed, await last; → ;":
      "Only the memory of texts that wait shows it.",
  },
  [`${queries}/change-feed.ts`]: {
    'changesOf: value changed, "nodes" → ""': "SQLite does not use it: on PostgreSQL changes.test.ts fails.",
    "result removed, sql`0 as ${column}` → undefined, in (column) => sql`0 as ${column}`":
      "SQLite has null for it, which is not read: on PostgreSQL changes.test.ts fails.",
  },
  [`${queries}/connections.ts`]: {
    'connectionsDue: method changed, .orderBy("id") → nothing, in db .selectFrom("connections") .select(["id", "provider", "workspace_id…':
      "SQLite has this order from the index: on PostgreSQL connections.test.ts fails.",
  },
  [`${queries}/containers.ts`]: {
    'columnsOfDatabase: method changed, .orderBy("id") → nothing, in db .selectFrom("data_sources") .select("columns") .where("connection_i…':
      "SQLite has this order from the index: on PostgreSQL containers.test.ts fails.",
  },
  [`${queries}/graph-reading.ts`]: {
    "inText: negation removed, -1 → 1":
      "SQLite has this order from the key: on PostgreSQL graph-reading.test.ts fails.",
  },
  [`${queries}/shared-reads.ts`]: {
    "value changed, 64 → 65": "Reads share a statement on PostgreSQL alone, where a test notices.",
  },
  [`${queries}/sessions.ts`]: {
    'liveSessions: method changed, .orderBy("id") → nothing, in query.orderBy("id")':
      "SQLite reads them in this order anyway. On PostgreSQL a test notices.",
  },
  [`${queries}/statements.ts`]: {
    "readsByChange: result removed, sql`is_read_by_change(${sql.ref(`${table}.added_revision`)})` → undefined, in return sql`is_read_by_change(${sql.ref(`${table}.added_revision`)})`;":
      "Only PostgreSQL runs it, where a test of plans notices.",
    'readsByChange: text emptied, `${table}.added_revision` → ""':
      "Only PostgreSQL runs it, where a test of plans notices.",
  },
};

/** Returns whether a mutant is named as one that changes nothing that Clew promises. */
export const isEqual = ({ file, name }: Pick<Mutant, "file" | "name">): boolean =>
  equalMutants[file]?.[name] !== undefined;
