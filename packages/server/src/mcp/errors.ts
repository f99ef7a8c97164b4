import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ApiError } from "../model/api-error.ts";
import { visibleText } from "../model/visible-text.ts";

/** The names that tools give to the parameters of operations; a tool has one of them. */
const parameterNames: Readonly<Record<string, readonly string[]>> = {
  q: ["query", "question"],
  workspace_id: ["workspace"],
  column: ["columns"],
};

/** Faults that an answer lists. An agent that made more of them made one kind often. */
const maxFaults = 20;

/** An error as the result of a tool with these parameters, from which an agent learns what to do (AGT-4). */
export function errorResult(error: ApiError, parameters: readonly string[] = []): CallToolResult {
  const { code, message, errors } = error;
  const lines = errors.slice(0, maxFaults).map(({ path, message: what }) => {
    // Paths of operations begin with ? or /; the others are the names that the agent gave.
    const name = path.replace(/^[?/]/, "");
    const names = name === path ? [] : (parameterNames[name] ?? []);
    return `- ${names.find((each) => parameters.includes(each)) ?? name} ${what}`;
  });
  const more = errors.length > maxFaults ? [`- and ${errors.length - maxFaults} more`] : [];
  const seconds = error.headers["retry-after"];
  const wait = seconds === undefined ? [] : [`Try again in ${seconds} seconds.`];
  return {
    content: [
      {
        type: "text",
        text: visibleText([`${code}: ${message}`, ...lines, ...more, ...wait].join("\n")).text,
      },
    ],
    isError: true,
  };
}
