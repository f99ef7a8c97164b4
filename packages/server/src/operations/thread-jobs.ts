import { ThreadError } from "@clew/threads";
import type { ReadableGraph } from "../graphs/readable.ts";
import { ApiError } from "../model/api-error.ts";
import type { JobInput, JobName, JobResult } from "../queries/query-worker.ts";
import type { TextSnapshot } from "../texts/text-snapshots.ts";
import type { RequestContext } from "./request-context.ts";

/** The text index of each graph, in their order. Throws `ApiError` `unavailable` if it cannot be opened now. */
async function textsOf(sources: readonly ReadableGraph[]): Promise<readonly TextSnapshot[]> {
  try {
    return await Promise.all(sources.map(({ texts }) => texts.snapshot()));
  } catch (error) {
    throw unavailable(error);
  }
}

/**
 * Runs a job on graphs and their texts. `inputFor` receives the texts, which are opened again if the job finds that they
 * were replaced or are damaged. Throws as `QueryThreads.run` does.
 */
export async function runJob<Name extends JobName>(
  { services: { graphs, queryThreads }, caller, signal }: RequestContext,
  name: Name,
  sources: readonly ReadableGraph[],
  inputFor: (texts: readonly TextSnapshot[]) => JobInput<Name>,
): Promise<JobResult<Name>> {
  const run = async (): Promise<JobResult<Name>> => {
    const texts = await textsOf(sources);
    const given = sources.flatMap((source, index) => {
      const own = texts[index];
      return own === undefined
        ? []
        : [{ connectionId: source.connection.id, graph: source.graph, texts: own }];
    });
    return queryThreads.run(name, inputFor(texts), { caller: caller.userId, sources: given, signal });
  };
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ThreadError) || !["stale", "damaged"].includes(error.failure)) throw error;
    await reopen(error).catch((cause) => {
      throw unavailable(cause);
    });
    return run();
  }

  async function reopen(error: ThreadError): Promise<void> {
    if (error.failure === "damaged") await graphs.resetTexts();
    await Promise.all(sources.map(({ texts }) => texts.refresh()));
  }
}

function unavailable(cause: unknown): ApiError {
  const headers = { "retry-after": "5" };
  return new ApiError("unavailable", "The text index is not available.", { headers, cause });
}
