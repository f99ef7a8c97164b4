import type { ToolInput } from "@clew/contract";
import { describeWorkspaces } from "../../operations/workspaces.ts";
import { compose, fullAnswer } from "../answer/compose.ts";
import { count, freshnessOf } from "../answer/words.ts";
import { findWorkspace } from "../pages.ts";
import type { ToolAnswer, ToolCall } from "../tool-call.ts";

/** `workspace_overview`: what there is, and how fresh it is. */
export async function workspaceOverview(
  call: ToolCall,
  input: ToolInput<"workspace_overview">,
): Promise<ToolAnswer> {
  const wanted = findWorkspace(call, input.workspace);
  const sources = call.graphs.filter(
    ({ connection }) => wanted === undefined || connection.workspaceId === wanted,
  );
  if (input.detail === "full")
    return fullAnswer({ limit: sources.length, maxTokens: input.max_tokens }, async (limit) => {
      const connections = sources.slice(0, limit).map(({ connection }) => connection);
      return { items: await describeWorkspaces(call.ctx.services, connections, call.ctx.reader) };
    });
  const lines = sources.map(
    ({ connection, graph }) =>
      `- ${freshnessOf(connection, call.now)}; ${count(graph.nodeCount, "page")}, ${count(graph.edgeCount, "link")}`,
  );
  return {
    text: compose(
      {
        head: [sources.length === 0 ? "No workspace is readable with this token." : "Readable workspaces:"],
        lines,
        tail: (shown) =>
          shown < lines.length ? [`(${lines.length - shown} left out: raise max_tokens.)`] : [],
      },
      input.max_tokens,
    ),
  };
}
