import type { Scope } from "@clew/contract";
import type { ReadableGraph } from "../graphs/readable.ts";
import { holdsAll, type ServiceTokenCaller } from "../model/caller.ts";
import { currentGraphsFor, type QueryServices, type RequestContext } from "../operations/request-context.ts";

/** One call of a tool: who calls, what may be read, and when. */
export interface ToolCall {
  readonly ctx: RequestContext;
  /** The newest graphs that the caller may read. */
  readonly graphs: readonly ReadableGraph[];
  /** In milliseconds since the Unix epoch. */
  readonly now: number;
  /** Whether the caller's token has all of these scopes. */
  holds(...scopes: readonly Scope[]): boolean;
}

/** The parts of a request that a call needs. */
export interface CallOrigin {
  readonly services: QueryServices;
  readonly caller: ServiceTokenCaller;
  /** Aborted once the answer is no longer needed. */
  readonly signal: AbortSignal;
}

export async function openCall({ services, caller, signal }: CallOrigin): Promise<ToolCall> {
  const ctx = { services, caller, signal };
  return {
    ctx,
    graphs: await currentGraphsFor(ctx),
    now: services.clock(),
    holds: (...scopes) => holdsAll(caller, scopes),
  };
}

/** The answer of a tool. */
export interface ToolAnswer {
  readonly text: string;
  /** The ids of the pages that it shows, as `shownPages` has them for messages; some may come twice (APP-9). */
  readonly pages: readonly string[];
  /** Whether the text is JSON, to which nothing can be added. */
  readonly isJson?: true;
  /** The contract's message, if the caller asked for it. */
  readonly message?: object;
}
