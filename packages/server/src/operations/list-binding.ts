import type { GraphOperation } from "@clew/contract";
import type { RequestContext } from "./request-context.ts";

/**
 * What the cursors of a list are bound to: the door, the operation, the user, all that is readable at the moment,
 * and the parameters that shape the list (GRAPH-12). `limit` is not among them: each page may have its own size.
 * A connection that is given up and made anew is another one.
 */
export function listBinding(
  { services, reader }: RequestContext,
  readable: readonly { readonly id: number | string }[],
  list: { readonly operation: GraphOperation; readonly parameters: readonly (string | number | null)[] },
): string {
  const ids = readable.map(({ id }) => id);
  return JSON.stringify([services.audience, list.operation, reader.userId, ids, list.parameters]);
}
