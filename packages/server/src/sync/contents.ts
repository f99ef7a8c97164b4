import type { NodeId } from "../model/node-id.ts";
import { ProviderError } from "../provider/error.ts";
import type { NodeReference, PageContent } from "../provider/port.ts";
import { nodesAwaitingContent } from "../store/graph-pages.ts";
import { markAsTextless, writeFailure, writeText } from "./apply.ts";
import { createDiscovery } from "./discovery.ts";
import { each } from "./each.ts";
import { singleFailure } from "./outage.ts";
import { callsAtOnce, type Run } from "./run.ts";

/**
 * The second phase (SYNC-2): reads, page by page, the texts that are not known yet, are outdated, or failed last
 * time, and those to be read again. A page that cannot be read fails alone (SYNC-5). Texts that an interrupted run
 * has read are not read again (SYNC-6).
 */
export async function readContents(run: Run, reread: readonly NodeId[]): Promise<void> {
  const awaiting = await nodesAwaitingContent(run.database.read, run.connectionId);
  await markAsTextless(idsOf("database", awaiting), run);
  const queue = [...new Set([...idsOf("page", awaiting), ...reread])];

  let done = 0;
  run.progress.begin("content", queue.length);
  const discover = createDiscovery(run, (id) => queue.push(id));
  await each(queue, callsAtOnce, async (id) => {
    await readPage(id, run, discover);
    done += 1;
    run.progress.reach(done, queue.length);
    await run.publisher.publishIfDue();
  });
}

function idsOf(type: NodeReference["type"], nodes: readonly NodeReference[]): NodeId[] {
  return nodes.filter((node) => node.type === type).map(({ id }) => id);
}

async function readPage(id: NodeId, run: Run, discover: ReturnType<typeof createDiscovery>): Promise<void> {
  const content = await fetchContent(id, run);
  if (content === null) return;
  await discover([...content.children, ...content.mentioned]);
  run.signal.throwIfAborted();
  await writeText(id, content, run);
  if (!content.complete) run.log.warn({ nodeId: id }, "the provider left out a part of a page");
}

/** A page's text; null where it could not be read, which is then noted. */
async function fetchContent(id: NodeId, run: Run): Promise<PageContent | null> {
  try {
    const content = await run.reader.content(id, run.signal);
    run.outage.answered();
    return content;
  } catch (thrown) {
    run.signal.throwIfAborted();
    const error = thrown instanceof ProviderError ? singleFailure(thrown) : null;
    run.log.warn({ nodeId: id, err: thrown }, "the text of a page could not be read");
    await writeFailure(id, error?.message ?? "Clew could not make sense of this page", run);
    if (error !== null) run.outage.failed(error);
    return null;
  }
}
