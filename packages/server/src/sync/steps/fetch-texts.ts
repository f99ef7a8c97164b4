import type { NodeId, Reference } from "@clew/graph";
import { type PageContent, ProviderError, type ShownNode } from "../../provider/port.ts";
import { purgeTombstones } from "../../store/queries/changes.ts";
import { closeCrawl } from "../../store/queries/crawl-checkpoints.ts";
import { failContent, type ReadText, saveContents } from "../../store/queries/graph-pages.ts";
import { type AwaitingNode, nodesAwaitingContent, readInPart } from "../../store/queries/reading-list.ts";
import { targetsOf } from "../../store/queries/references.ts";
import { batches } from "../../store/queries/statements.ts";
import { IdMap } from "../id-map.ts";
import { forEachConcurrently, maxConcurrentCalls, singleFailure } from "../provider-calls.ts";
import type { Lookup, SyncState } from "../state.ts";
import { batchSize, type SyncRun } from "../sync-run.ts";
import { crawl } from "./crawl.ts";
import { withKnownTitles } from "./known-titles.ts";
import { placeAllNodes, placeNodes } from "./place-nodes.ts";
import { removeTextless } from "./remove-missing.ts";

/** Milliseconds for which a tombstone is kept (GRAPH-11). */
const tombstoneRetentionMs = 90 * 24 * 60 * 60_000;

/**
 * Fetches the texts that the store awaits: those that are unknown, outdated, or failed last time, and those of pages that
 * turn up meanwhile. A page that cannot be read fails alone (SYNC-5). Texts that an interrupted run fetched are no longer
 * awaited (SYNC-6). Ends with the listing's checkpoint, which nothing resumes any more, and old tombstones.
 */
export async function fetchTexts(run: SyncRun): Promise<void> {
  const tools = { follower: createReferenceFollower(run), writer: createTextWriter(run) };
  // Removing a page re-queues the texts of the page that showed it.
  while ((await removeTextless(await fetchAwaited(tools, run), run)) > 0) await placeAllNodes(run);
  if (tools.follower.foundAny()) await placeAllNodes(run);
  await run.database.transaction(async (trx) => {
    await purgeTombstones(trx, run.connectionId, run.clock() - tombstoneRetentionMs);
    await closeCrawl(trx, run.connectionId);
  });
}

/** What reading texts takes besides the run. */
interface TextTools {
  readonly follower: ReferenceFollower;
  readonly writer: TextWriter;
}

/** Writes whole texts while others are fetched. */
interface TextWriter {
  /** Takes a text. Resolves when another one may be fetched, which is before it is written while few wait. */
  add(id: NodeId, text: ReadText): Promise<void>;
  /** Resolves when all are written. */
  flush(): Promise<void>;
}

/** Characters that may wait to be written while texts are fetched. */
const maxWaitingCharacters = 32_000;

/** Texts that wait for the transaction before them are written together. After a failure all fail. */
function createTextWriter(run: SyncRun): TextWriter {
  let waiting = new Map<NodeId, ReadText>();
  let characters = 0;
  let last = Promise.resolve();
  const writeWaiting = async () => {
    const [texts, length] = [waiting, characters];
    [waiting, characters] = [new Map(), 0];
    await run.database.transaction((trx) => saveContents(trx, run.connectionId, texts));
    run.state.textWritten(length);
  };
  return {
    async add(id, text) {
      if (waiting.size === 0) {
        last = last.then(writeWaiting);
        // `flush` throws it.
        last.catch(() => {});
      }
      waiting.set(id, text);
      characters += text.markdown.length;
      if (waiting.size >= batchSize || characters >= maxWaitingCharacters) await last;
    },
    flush: () => last,
  };
}

/** Fetches all awaited texts once. Returns the pages whose texts the provider does not have. */
async function fetchAwaited(tools: TextTools, run: SyncRun): Promise<ReadonlySet<NodeId>> {
  const tried = new IdMap();
  const missing = new Set<NodeId>();
  let done = 0;
  let total = 0;
  run.progress.begin("content");
  for (;;) {
    const awaiting = await nodesAwaitingContent(run.database.read, run.connectionId);
    const untried = awaiting.filter(({ id }) => !tried.has(id));
    const { page: pages = [], database: databases = [] } = Object.groupBy(untried, ({ type }) => type);
    total += pages.length;
    run.progress.reach("content", done, total);
    if (untried.length === 0) return missing;
    for (const { id } of untried) tried.set(id, null);
    await markTextless(databases, run);
    try {
      await forEachConcurrently(pages, maxConcurrentCalls, async (page) => {
        if (!(await fetchText(page, tools, run))) missing.add(page.id);
        done += 1;
        run.progress.reach("content", done, total);
        await run.publisher.publishIfDue();
      });
    } finally {
      await tools.writer.flush();
    }
  }
}

/** Databases have no text. */
async function markTextless(databases: readonly AwaitingNode[], run: SyncRun): Promise<void> {
  const none = { markdown: "", references: [], state: "empty" } as const;
  for (const some of batches(databases, batchSize)) {
    run.signal.throwIfAborted();
    const texts = new Map(some.map(({ id }) => [id, none]));
    await run.database.transaction((trx) => saveContents(trx, run.connectionId, texts));
  }
}

/** One page: fetch its text, look up what that names, have it written. False where the provider does not have the text. */
async function fetchText(
  page: AwaitingNode,
  { follower, writer }: TextTools,
  run: SyncRun,
): Promise<boolean> {
  const { id, readAt } = page;
  const askedAt = run.reader.time();
  let content: PageContent;
  try {
    content = await run.reader.content(id);
    run.breaker.succeeded();
  } catch (thrown) {
    return recordFailedText(id, thrown, run);
  }
  content = await withKnownTitles(content, run);
  run.state.textFetched(content.markdown.length);
  const wasRead = readAt !== null && readAt > 0;
  const isSettled = await follower.follow(id, wasRead ? await newlyNamed(content, id, run) : content);
  run.signal.throwIfAborted();
  run.report.fetched(content);
  const text = textOf(id, content, run);
  const whole = { ...text, readAt: isSettled ? askedAt : 0 };
  if (content.complete) await writer.add(id, whole);
  else await savePart(id, { ...text, readAt: readInPart }, readAt !== null && readAt >= 0, run);
  return true;
}

/** Notes that a part of a text could not be read. The earlier text stays if it was whole. */
async function savePart(id: NodeId, text: ReadText, isWholeStored: boolean, run: SyncRun): Promise<void> {
  const leftOut = "The provider left out a part of this page";
  run.log.warn({ nodeId: id }, "the provider left out a part of a page");
  await run.database.transaction(async (trx) => {
    if (!isWholeStored) await saveContents(trx, run.connectionId, new Map([[id, text]]));
    const reason = isWholeStored ? `${leftOut}; its earlier text is shown` : leftOut;
    await failContent(trx, run.connectionId, id, reason);
  });
  run.state.textWritten(text.markdown.length);
}

/** Notes why a text could not be fetched (SYNC-5). False where the provider does not have it. */
async function recordFailedText(id: NodeId, thrown: unknown, run: SyncRun): Promise<boolean> {
  run.signal.throwIfAborted();
  const error = thrown instanceof ProviderError ? singleFailure(thrown) : null;
  run.log.warn({ nodeId: id, err: thrown }, "failed to fetch the text of a page");
  const reason = error?.message ?? "Clew could not make sense of this page";
  await run.database.transaction((trx) => failContent(trx, run.connectionId, id, reason));
  if (error !== null) run.breaker.failed(error);
  return error?.code !== "not_found";
}

/** A text as it is stored. It mentions what it shows as its own and is elsewhere. */
function textOf(id: NodeId, { markdown, references, children }: PageContent, run: SyncRun): ReadText {
  const mentions = childMentions(shownByReference(id, children, run));
  return {
    markdown,
    state: markdown.trim() === "" ? "empty" : "ready",
    references: run.state.redirect([...references, ...mentions]),
  };
}

/** Mentions of what a text shows as children. A linked view mentions its data source, which stands for the database. */
export function childMentions(children: readonly ShownNode[]): Reference[] {
  return children.map(({ id, dataSourceId, name, offset }) => ({
    type: "mention",
    targetId: dataSourceId ?? id,
    name: null,
    ...(name === undefined ? {} : { targetName: name }),
    count: 1,
    offsets: [offset],
  }));
}

/** What a page's text names. */
type NamedByText = Pick<PageContent, "children" | "mentioned">;

/** What a page's text shows as its own although its parent is another one, as far as the run knows. */
function shownByReference(pageId: NodeId, children: readonly ShownNode[], { state }: SyncRun): ShownNode[] {
  return children.filter((child) => {
    const id = standsFor(child, state);
    return id !== pageId && state.parentOf(id) !== pageId;
  });
}

/** The id of what a text shows: for a linked view, that of the database or, if it is not known, the data source. */
function standsFor({ id, dataSourceId }: ShownNode, state: SyncState): string {
  return dataSourceId === undefined ? id : (state.databaseOf(dataSourceId) ?? dataSourceId);
}

/** The question that finds what a text shows. */
function questionOf({ id, type, dataSourceId }: ShownNode): Lookup {
  return dataSourceId === undefined
    ? { kind: "look-up", id, type }
    : { kind: "find-database", id: dataSourceId };
}

/** What a text names and did not name before: only full syncs look up again what was not found then (SYNC-3). */
async function newlyNamed(content: NamedByText, nodeId: NodeId, run: SyncRun): Promise<NamedByText> {
  if (run.plan.kind === "full") return content;
  const before = await targetsOf(run.database.read, run.connectionId, { nodeId, source: "text" });
  const children = content.children.filter((child) => !before.has(standsFor(child, run.state)));
  const mentioned = content.mentioned.filter(({ id }) => !before.has(id));
  return { children, mentioned };
}

type ReferenceFollower = ReturnType<typeof createReferenceFollower>;

/** Follows one text after another, since one may be looking up what the next one names. */
function createReferenceFollower(run: SyncRun) {
  const { state, queue, writer } = run;
  let previous = Promise.resolve();
  let foundAny = false;

  const lookUp = async (pageId: NodeId, { children, mentioned }: NamedByText) => {
    for (const child of shownByReference(pageId, children, run))
      if (child.id === standsFor(child, state)) queue.lookUp(child, pageId, "changed");
    for (const child of children) queue.add({ ...questionOf(child), raisedBy: pageId });
    for (const reference of mentioned) queue.lookUp(reference, pageId);
    await crawl(run);
    // If nothing else says where a child is, it may leave this page without a trace.
    const isOpen = (child: ShownNode) =>
      state.wasUnanswered(questionOf(child)) || state.isUnplaced(standsFor(child, state));
    if (children.some(isOpen)) state.unsettled(pageId);
    const written = writer.takeWritten();
    if (written.size === 0) return;
    foundAny = true;
    await placeNodes(written, run);
  };

  return {
    foundAny: () => foundAny,
    /**
     * Looks up what a page's text names and no listing had (SYNC-1), and what those nodes name; also what the text shows
     * as its own and listings place elsewhere, since a listing that lags leaves no other trace of a move (SYNC-7).
     * Resolves once those that were shared are stored; false if the page is to be read again.
     */
    async follow(pageId: NodeId, named: NamedByText): Promise<boolean> {
      const isKnown =
        named.mentioned.every(({ id }) => state.hasNode(id)) &&
        shownByReference(pageId, named.children, run).length === 0;
      if (!isKnown) {
        const mine = previous.then(() => lookUp(pageId, named));
        previous = mine.catch(() => {});
        await mine;
      }
      return !state.unsettledNodes().has(pageId);
    },
  };
}
