import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ApiError } from "../model/api-error.ts";
import { visibleText } from "../model/visible-text.ts";

/** The names that tools give to the parameters of operations. */
const parameterNames: Readonly<Record<string, string>> = {
  q: "query",
  workspace_id: "workspace",
  column: "columns",
};

/** An error as the result of a tool, from which an agent learns what to do (AGT-4). */
export function errorResult(error: ApiError): CallToolResult {
  const { code, message, errors } = error;
  const lines = errors.map(({ path, message: what }) => {
    // Paths of operations begin with ? or /; the others are the names that the agent gave.
    const name = path.replace(/^[?/]/, "");
    return `- ${(name === path ? undefined : parameterNames[name]) ?? name} ${what}`;
  });
  const seconds = error.headers["retry-after"];
  const wait = seconds === undefined ? [] : [`Try again in ${seconds} seconds.`];
  return {
    content: [
      { type: "text", text: visibleText([`${code}: ${message}`, ...lines, ...wait].join("\n")).text },
    ],
    isError: true,
  };
}
