import type { PageFilters } from "@clew/contract";
import { locateNode } from "../../graphs/readable.ts";
import { parseQueryTime } from "../../model/query-time.ts";
import { oneLine, pageName, workspaceName } from "../../operations/page-names.ts";
import type { ToolCall } from "../tool-call.ts";
import type { Coverage } from "./coverage.ts";
import { day, timeOfDay } from "./words.ts";

/*
 * How answers say what the filters of a list leave.
 */

const dayMs = 86_400_000;

/** Says of each filter what holds for the pages that it leaves: `is a database`. */
const wordsOf: { readonly [Name in keyof PageFilters]-?: (value: string, call: ToolCall) => string } = {
  workspace_id: (id, { graphs }) => {
    const connection = graphs.find((each) => each.connection.workspaceId === id)?.connection;
    return `is in ${connection === undefined ? id : workspaceName(connection)}`;
  },
  type: (type) => `is a ${type}`,
  under: (id, { graphs }) => {
    const node = locateNode(graphs, id)?.node;
    return `is ${node === undefined ? id : pageName(graphs, node)} or below it`;
  },
  updated_after: (time, call) => `was last edited since ${moment(time, call)}`,
  updated_before: (time, call) => `was last edited before ${moment(time, call)}`,
  created_after: (time, call) => `was created since ${moment(time, call)}`,
  created_before: (time, call) => `was created before ${moment(time, call)}`,
  by: (name) => `was made or last edited by ${JSON.stringify(oneLine(name))}`,
  is: (traits) =>
    `is ${traits
      .split(",")
      .map((trait) => trait.replace(/^-/, "not "))
      .join(" and ")}`,
};

/** A time as a day; with the hour and the minute if it is about now. */
function moment(text: string, { now }: ToolCall): string {
  const time = parseQueryTime(text, now);
  if (time === null) return oneLine(text);
  return Math.abs(now - time) > 2 * dayMs ? day(time) : `${day(time)} ${timeOfDay(time)} UTC`;
}

// The keys of the table are the names.
const names = Object.keys(wordsOf) as (keyof PageFilters)[];

/** The filters of a list as a predicate: `is a database and was last edited before 2026-06-02`; empty without filters. */
export function filterWords(call: ToolCall, filters: PageFilters): string {
  const words = names.flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [wordsOf[name](value, call)];
  });
  return words.join(" and ");
}

/** Says that none of the pages that match is left by the filters; `matching` is their number, null if it is not known. */
export function noneLeft(
  call: ToolCall,
  filters: PageFilters,
  { quoted, matching }: { readonly quoted: string; readonly matching: number | null },
  { none }: Coverage,
): string {
  const words = filterWords(call, filters);
  const partly = `No page that matches ${quoted} and ${words} was found`;
  if (matching === null) return none(`No page that matches ${quoted} ${words}.`, partly);
  if (matching === 1)
    return none(
      `One page matches ${quoted}, but it is none that ${words}.`,
      `${partly}, only another that matches,`,
    );
  return none(
    `None of the ${matching} pages that match ${quoted} ${words}.`,
    `Of ${matching} pages that match ${quoted}, none that ${words} was found`,
  );
}
