import type { NodeId } from "@clew/graph";
import {
  type NodeReference,
  type PageContent,
  ProviderError,
  type ProviderErrorCode,
} from "../provider/port.ts";
import { purgeTombstones } from "../store/queries/changes.ts";
import { closeCrawl } from "../store/queries/crawl-checkpoints.ts";
import { type AwaitingNode, nodesAwaitingContent } from "../store/queries/reading-list.ts";
import { targetsOf } from "../store/queries/references.ts";
import { markAsTextless, writeFailure, writePart, writeText } from "./apply.ts";
import { singleFailure } from "./circuit-breaker.ts";
import { createDiscovery, type Discovery, type NamedByText } from "./discovery.ts";
import { each } from "./each.ts";
import { IdMap } from "./id-map.ts";
import { removeTextless } from "./missing.ts";
import { settleGraph } from "./settle-graph.ts";
import { callsAtOnce, type SyncRun } from "./sync-run.ts";

/** How long it is remembered that a node was removed (GRAPH-11). */
const tombstoneRetention = 90 * 24 * 60 * 60_000;

/**
 * The second phase (SYNC-2): reads, page by page, the texts that the store awaits: those that are not known yet, are
 * outdated, or failed last time, and those of pages that turn up meanwhile. A page that cannot be read fails alone
 * (SYNC-5). What an interrupted run has read is not awaited any more (SYNC-6).
 */
export async function readContentsPhase(run: SyncRun): Promise<void> {
  const { connectionId, database } = run;
  const discovery = createDiscovery(run);
  // What goes takes its place in the texts of others with it.
  while (await removeTextless(await readAwaited(discovery, run), run));
  if (discovery.foundAny()) await settleGraph(run);
  await database.transaction(async (trx) => {
    await purgeTombstones(trx, connectionId, run.clock() - tombstoneRetention);
    await closeCrawl(trx, connectionId);
  });
}

/** Answers with the pages whose texts are not there. */
async function readAwaited(discovery: Discovery, run: SyncRun): Promise<ReadonlySet<NodeId>> {
  const tried = new IdMap();
  const notThere = new Set<NodeId>();
  let done = 0;
  let total = 0;
  run.progress.begin("content", null);
  for (;;) {
    const awaiting = await nodesAwaitingContent(run.database.read, run.connectionId);
    const untried = awaiting.filter(({ id }) => !tried.has(id));
    const pages = untried.filter(({ type }) => type === "page");
    total += pages.length;
    run.progress.reach(done, total);
    if (untried.length === 0) return notThere;
    for (const { id } of untried) tried.set(id, null);
    await markAsTextless(
      untried.filter(({ type }) => type === "database").map(({ id }) => id),
      run,
    );
    await each(pages, callsAtOnce, async (page) => {
      const isThere = await readPage(page, discovery, run);
      if (!isThere) notThere.add(page.id);
      done += 1;
      run.progress.reach(done, total);
      await run.publisher.publishIfDue();
    });
  }
}

/** False where the provider says that it has no such text. */
async function readPage({ id, readAt }: AwaitingNode, discovery: Discovery, run: SyncRun): Promise<boolean> {
  const now = run.reader.time();
  const content = await fetchContent(id, run);
  if (typeof content === "string") return content !== "not_found";
  run.state.charactersInHand += content.markdown.length;
  const isKnown = readAt !== null && readAt > 0;
  const isSettled = await discovery.follow(isKnown ? await newlyNamed(content, id, run) : content, id);
  run.signal.throwIfAborted();
  run.report.fetched(content);
  if (content.complete) await writeText(id, content, isSettled ? now : 0, run);
  else await writePart(id, content, { isWholeKnown: readAt !== null && readAt >= 0 }, run);
  run.state.charactersInHand -= content.markdown.length;
  return true;
}

/** What a text names and did not name before: what it led to in vain then is asked for by full syncs alone (SYNC-3). */
async function newlyNamed(
  { children, mentioned }: NamedByText,
  nodeId: NodeId,
  { connectionId, database, kind }: SyncRun,
): Promise<NamedByText> {
  if (kind === "full") return { children, mentioned };
  const before = await targetsOf(database.read, connectionId, { nodeId, source: "text" });
  const isNew = ({ id }: NodeReference) => !before.has(id);
  return { children: children.filter(isNew), mentioned: mentioned.filter(isNew) };
}

/** A page's text; where it could not be read, which is then noted, how that failed. */
async function fetchContent(id: NodeId, run: SyncRun): Promise<PageContent | ProviderErrorCode | "nonsense"> {
  try {
    const content = await run.reader.content(id, run.signal);
    run.breaker.answered();
    return content;
  } catch (thrown) {
    run.signal.throwIfAborted();
    const error = thrown instanceof ProviderError ? singleFailure(thrown) : null;
    run.log.warn({ nodeId: id, err: thrown }, "the text of a page could not be read");
    await writeFailure(id, error?.message ?? "Clew could not make sense of this page", run);
    if (error !== null) run.breaker.failed(error);
    return error?.code ?? "nonsense";
  }
}
