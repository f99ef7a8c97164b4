import {
  graphOperations,
  type Operation,
  type Overview,
  presentedTokenOperation,
  workspaceOperations,
} from "@clew/contract";
import { holdsAll, type KnownCaller } from "../../model/caller.ts";
import {
  type Audience,
  type RequestContext,
  readableConnectionsOf,
} from "../../operations/request-context.ts";
import { describeWorkspaces } from "../../operations/workspaces.ts";

/** Lists what the caller may read, and the operations that do it. `prefix` is the path of the routes that were asked (GRAPH-16). */
export async function overview(ctx: RequestContext, prefix: string): Promise<Overview> {
  const { services, caller } = ctx;
  return {
    clew: services.build,
    workspaces: await describeWorkspaces(services, readableConnectionsOf(ctx), caller),
    operations: operationsFor(caller, services.audience, prefix),
  };
}

/** The operations that the caller's credentials permit, each with its path below the prefix. */
function operationsFor(caller: KnownCaller, audience: Audience, prefix: string): Overview["operations"] {
  const below = (path: string) => prefix + path.replace(":id", "{id}");
  const shared = Object.entries<Operation>(graphOperations)
    .filter(([, { scopes }]) => holdsAll(caller, scopes))
    .map(([name, { path, scopes, summary }]) => ({
      name,
      method: "GET" as const,
      path: below(path),
      scope: audience === "v1" ? scopes.join(" ") || null : null,
      summary,
    }));
  const own =
    audience === "v1"
      ? [{ name: "token", method: "GET" as const, ...presentedTokenOperation }]
      : Object.entries(workspaceOperations).map(([name, operation]) => ({ name, ...operation }));
  return [...shared, ...own.map((operation) => ({ ...operation, path: below(operation.path), scope: null }))];
}
