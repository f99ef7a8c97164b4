import type { NodeId, Reference } from "@clew/graph";
import { type PageContent, ProviderError, type ShownNode } from "@clew/provider";
import { purgeTombstones } from "../../store/queries/changes.ts";
import { closeCrawl } from "../../store/queries/crawl-checkpoints.ts";
import {
  failContent,
  type ReadText,
  saveContents,
  type TextReading,
} from "../../store/queries/graph-pages.ts";
import { childrenOf } from "../../store/queries/known-nodes.ts";
import { type AwaitingNode, nodesAwaitingContent } from "../../store/queries/reading-list.ts";
import { targetsOf } from "../../store/queries/references.ts";
import { batches } from "../../store/queries/statements.ts";
import {
  batchSize,
  type StateToRead,
  type StoreToRead,
  type StoreToWrite,
  type SyncContext,
} from "../context.ts";
import { IdMap } from "../id-map.ts";
import { forEachConcurrently, maxConcurrentCalls, singleFailure } from "../provider-calls.ts";
import type { Lookup, StateReader, SyncState } from "../state.ts";
import { type CrawlContext, crawl } from "./crawl.ts";
import { withKnownTitles } from "./known-titles.ts";
import { placeAllNodes, placeNodes } from "./place-nodes.ts";
import { removeDoubtful } from "./remove-missing.ts";

/** Milliseconds for which a tombstone is kept (GRAPH-11). */
const tombstoneRetentionMs = 90 * 24 * 60 * 60_000;

/**
 * Fetches the texts that the store awaits: those that are unknown, outdated, or failed last time, and those of pages that
 * turn up meanwhile. A page that cannot be read fails alone (SYNC-5). Texts that an interrupted run fetched are no longer
 * awaited (SYNC-6). Ends with the listing's checkpoint, which nothing resumes any more, and old tombstones.
 */
export async function fetchTexts(context: SyncContext): Promise<void> {
  const { connectionId, database, clock } = context;
  const tools = { follower: createReferenceFollower(context), writer: createTextWriter(context) };
  // Removing a page re-queues the texts of the page that showed it.
  while ((await removeDoubtful(await fetchAwaited(tools, context), context)) > 0)
    await placeAllNodes(context);
  if (tools.follower.foundAny() || context.writer.takeWritten().size > 0) await placeAllNodes(context);
  await database.transaction(async (trx) => {
    await purgeTombstones(trx, connectionId, clock() - tombstoneRetentionMs);
    await closeCrawl(trx, connectionId);
  });
}

/** Two workers that all texts of a run share. */
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

/** Characters that may wait to be written while texts are fetched. Their transaction takes tens of milliseconds. */
const maxWaitingCharacters = 128_000;

/** Texts that wait for the transaction before them are written together. After a failure all fail. */
function createTextWriter({
  connectionId,
  database,
  state,
}: StoreToWrite & { readonly state: Pick<SyncState, "releaseText"> }): TextWriter {
  let waiting = new Map<NodeId, ReadText>();
  let characters = 0;
  let last = Promise.resolve();
  const writeWaiting = async () => {
    const [texts, length] = [waiting, characters];
    [waiting, characters] = [new Map(), 0];
    await database.transaction((trx) => saveContents(trx, connectionId, texts));
    state.releaseText(length);
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

/** Fetches all awaited texts once. Returns the nodes that may be gone, as the texts say. */
async function fetchAwaited(
  tools: TextTools,
  context: FetchContext & Pick<SyncContext, "progress" | "publisher">,
): Promise<ReadonlySet<NodeId>> {
  const { connectionId, database, plan, state, progress, publisher } = context;
  // Edits are read often: of the texts that failed, only those that were listed.
  const isDue = ({ id, hasFailed }: AwaitingNode) => plan.kind !== "edits" || !hasFailed || state.wasSeen(id);
  const tried = new IdMap();
  const doubtful = new Set<NodeId>();
  let done = 0;
  let total = 0;
  progress.begin("content");
  for (;;) {
    const awaiting = await nodesAwaitingContent(database.read, connectionId);
    const untried = awaiting.filter((node) => !tried.has(node.id) && isDue(node));
    const {
      page: pages = [],
      database: databases = [],
      tag: tags = [],
    } = Object.groupBy(untried, ({ type }) => type);
    total += pages.length;
    progress.reach("content", done, total);
    if (untried.length === 0) return doubtful;
    for (const { id } of untried) tried.set(id, null);
    await storeDescriptions([...databases, ...tags], context);
    try {
      await forEachConcurrently(pages, maxConcurrentCalls, async (page) => {
        for (const id of await fetchText(page, tools, context)) doubtful.add(id);
        done += 1;
        progress.reach("content", done, total);
        await publisher.publishIfDue();
      });
    } finally {
      await tools.writer.flush();
    }
  }
}

/** The text of a database is its description, which is listed; a tag has none. Its references count as those of properties. */
async function storeDescriptions(
  databases: readonly AwaitingNode[],
  { connectionId, database, signal }: StoreToWrite & Pick<SyncContext, "signal">,
): Promise<void> {
  for (const some of batches(databases, batchSize)) {
    signal.throwIfAborted();
    const texts = new Map(
      some.map(({ id, description }) => [
        id,
        {
          markdown: description ?? "",
          references: [],
          state: description === null ? "empty" : "ready",
        } as const,
      ]),
    );
    await database.transaction((trx) => saveContents(trx, connectionId, texts));
  }
}

/** Fetching a text looks up what it names, and fails alone. */
type FetchContext = CrawlContext & Pick<SyncContext, "signal">;

/**
 * One page: fetch its text, look up what that names, have it written. Returns the nodes that may be gone: the page itself if
 * the provider does not have its text, or children that its text shows no more.
 */
async function fetchText(
  page: AwaitingNode,
  { follower, writer }: TextTools,
  context: FetchContext,
): Promise<readonly NodeId[]> {
  const { reader, breaker, state, loader, report, signal } = context;
  const { id, textState } = page;
  const askedAt = reader.time();
  let content: PageContent;
  try {
    content = await reader.content(id);
    breaker.succeeded();
  } catch (thrown) {
    return (await recordFailedText(id, thrown, context)) ? [] : [id];
  }
  content = await withKnownTitles(content, context);
  state.holdText(content.markdown.length);
  await loader.load(namedIn(content, state));
  const named = textState === "whole" ? await newlyNamed(content, id, context) : content;
  const isSettled = await follower.follow(id, named);
  signal.throwIfAborted();
  report.fetched(content);
  const text = textOf(id, content, state);
  const readAs = (read: TextReading["state"]) => ({ ...text, reading: { at: askedAt, state: read } });
  if (content.complete) await writer.add(id, readAs(isSettled ? "whole" : "unsettled"));
  else await savePart(id, readAs("partial"), { cut: content.cut ?? null, textState }, context);
  return missingChildren(id, content, context);
}

/** The stored children that a text shows no more. A whole sync finds them by what it lists. */
async function missingChildren(
  id: NodeId,
  { complete, children }: PageContent,
  { connectionId, database, plan, state }: StoreToRead & StateToRead & Pick<SyncContext, "plan">,
): Promise<readonly NodeId[]> {
  if (plan.kind !== "edits" || !complete) return [];
  const shown = new Set(children.flatMap((child) => [child.id, standsFor(child, state)]));
  return (await childrenOf(database.read, connectionId, [id])).filter((child) => !shown.has(child));
}

/**
 * Notes why a part of a text could not be read. If the provider left it out, an earlier text that was whole stays; a text that was
 * cut because it takes too much to read is stored as far as it was read.
 */
async function savePart(
  id: NodeId,
  text: ReadText,
  { cut, textState }: { readonly cut: string | null } & Pick<AwaitingNode, "textState">,
  {
    connectionId,
    database,
    state,
    report,
    log,
  }: StoreToWrite & Pick<SyncContext, "state" | "report" | "log">,
): Promise<void> {
  const why = cut === null ? "The provider left out a part of this page" : `The text is cut: ${cut}`;
  const isWholeStored = cut === null && (textState === "whole" || textState === "unsettled");
  report.failedText();
  log.warn({ nodeId: id, reason: why }, "a part of a page was not read");
  await database.transaction(async (trx) => {
    if (!isWholeStored) await saveContents(trx, connectionId, new Map([[id, text]]));
    const reason = isWholeStored ? `${why}; its earlier text is shown` : why;
    await failContent(trx, connectionId, id, reason);
  });
  state.releaseText(text.markdown.length);
}

/** Notes why a text could not be fetched (SYNC-5). False if the provider does not have it. */
async function recordFailedText(
  id: NodeId,
  thrown: unknown,
  {
    connectionId,
    database,
    breaker,
    report,
    log,
    signal,
  }: StoreToWrite & Pick<SyncContext, "breaker" | "report" | "log" | "signal">,
): Promise<boolean> {
  signal.throwIfAborted();
  report.failedText();
  const error = thrown instanceof ProviderError ? singleFailure(thrown) : null;
  log.warn({ nodeId: id, err: thrown }, "failed to fetch the text of a page");
  const reason = error?.message ?? "Clew could not make sense of this page";
  await database.transaction((trx) => failContent(trx, connectionId, id, reason));
  if (error !== null) breaker.failed(error);
  return error?.code !== "not_found";
}

/** A text as it is stored. It mentions what it shows as its own and is elsewhere. */
function textOf(id: NodeId, { markdown, references, children }: PageContent, state: StateReader): ReadText {
  const mentions = childMentions(shownByReference(id, children, state));
  return {
    markdown,
    state: markdown.trim() === "" ? "empty" : "ready",
    references: state.redirect([...references, ...mentions]),
  };
}

/** Mentions of what a text shows as children. A linked view mentions its collection, which stands for the database. */
export function childMentions(children: readonly ShownNode[]): Reference[] {
  return children.map(({ id, collectionId, name, offset }) => ({
    type: "mention",
    targetId: collectionId ?? id,
    name: null,
    ...(name === undefined ? {} : { targetName: name }),
    count: 1,
    offsets: [offset],
  }));
}

/** The pages and databases that a page's text names. */
type NamedByText = Pick<PageContent, "children" | "mentioned">;

/** The ids of all that a text names. */
function namedIn({ children, mentioned }: NamedByText, state: StateReader): string[] {
  return [...children.map((child) => standsFor(child, state)), ...mentioned.map(({ id }) => id)];
}

/** The nodes that a page's text shows as its own although their parents are others, as far as the run knows. */
function shownByReference(pageId: NodeId, children: readonly ShownNode[], state: StateReader): ShownNode[] {
  return children.filter((child) => {
    const id = standsFor(child, state);
    return id !== pageId && state.parentOf(id) !== pageId;
  });
}

/** The id of what a text shows: for a linked view, that of the database or, if it is not known, the collection. */
function standsFor({ id, collectionId }: ShownNode, state: Pick<StateReader, "databaseOf">): string {
  return collectionId === undefined ? id : (state.databaseOf(collectionId) ?? collectionId);
}

/** The question that finds what a text shows. */
function questionOf({ id, type, collectionId }: ShownNode): Lookup {
  return collectionId === undefined
    ? { kind: "look-up", id, type }
    : { kind: "find-database", id: collectionId };
}

/** References that are new in this text. References that were not found earlier are retried only by full syncs (SYNC-3). */
async function newlyNamed(
  content: NamedByText,
  nodeId: NodeId,
  { connectionId, database, plan, state }: StoreToRead & StateToRead & Pick<SyncContext, "plan">,
): Promise<NamedByText> {
  if (plan.kind === "full") return content;
  const before = await targetsOf(database.read, connectionId, { nodeId, source: "text" });
  const children = content.children.filter((child) => !before.has(standsFor(child, state)));
  const mentioned = content.mentioned.filter(({ id }) => !before.has(id));
  return { children, mentioned };
}

type ReferenceFollower = ReturnType<typeof createReferenceFollower>;

/** Follows one text after another, since one may be looking up what the next one names. */
function createReferenceFollower(context: FetchContext) {
  const { state, queue, writer } = context;
  let previous = Promise.resolve();
  let foundAny = false;

  const lookUp = async (pageId: NodeId, { children, mentioned }: NamedByText) => {
    const carried = new Set<NodeId>();
    for (const child of shownByReference(pageId, children, state)) {
      if (child.id === standsFor(child, state)) queue.lookUp(child, pageId, "changed");
      // A page in a block moves with the block, and says nothing of it.
      for (const block of state.blocksAround(child.id)) {
        carried.add(child.id);
        queue.add({ kind: "find-container", id: block, raisedBy: pageId, doubt: "changed" });
      }
    }
    for (const child of children) queue.add({ ...questionOf(child), raisedBy: pageId });
    for (const reference of mentioned) queue.lookUp(reference, pageId);
    await crawl(context);
    // If nothing else says where a child is, it may leave this page without a trace.
    const isOpen = (child: ShownNode) =>
      state.wasUnanswered(questionOf(child)) || state.isUnplaced(standsFor(child, state));
    if (children.some(isOpen)) state.markUnsettled(pageId);
    const found = writer.takeWritten().union(carried);
    if (found.size === 0) return;
    foundAny = true;
    await placeNodes(found, context);
  };

  return {
    foundAny: () => foundAny,
    /**
     * Looks up what a page's text names and no listing had (SYNC-1), and what those nodes name; also what the text shows
     * as its own and listings place elsewhere, because a stale listing shows no other sign that the page moved (SYNC-7).
     * Resolves once those that were shared are stored; false if the page is to be read again.
     */
    async follow(pageId: NodeId, named: NamedByText): Promise<boolean> {
      const isKnown =
        named.mentioned.every(({ id }) => state.hasNode(id)) &&
        shownByReference(pageId, named.children, state).length === 0;
      if (!isKnown) {
        const mine = previous.then(() => lookUp(pageId, named));
        previous = mine.catch(() => {});
        await mine;
      }
      return !state.unsettledNodes().has(pageId);
    },
  };
}
