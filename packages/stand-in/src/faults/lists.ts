import { isRecord } from "../workspace/front-matter.ts";
import { timeOf } from "../workspace/time.ts";
import type { Fault } from "./rule.ts";
import { shareOf } from "./share.ts";

type ListFault = Extract<Fault, { kind: "omitted" | "not_listed_yet" }>;

/** A list without what a fault keeps out of it; an answer that is no list stays as it is. */
export function withoutSome(payload: unknown, fault: ListFault, seed: number, now: number): unknown {
  if (!isRecord(payload) || !Array.isArray(payload.results)) return payload;
  const isKept =
    fault.kind === "omitted"
      ? (item: unknown) => !isOmitted(item, fault, seed)
      : (item: unknown) => !isNew(item, now - fault.milliseconds);
  return { ...payload, results: payload.results.filter(isKept) };
}

function isOmitted(item: unknown, { ids = [], share = 0 }: ListFault & { kind: "omitted" }, seed: number) {
  if (!isRecord(item)) return false;
  const { database_id: databaseId } =
    isRecord(item.parent) && item.object === "data_source" ? item.parent : {};
  const own = [String(item.id), ...(typeof databaseId === "string" ? [databaseId] : [])];
  return own.some((id) => ids.includes(id)) || shareOf(seed, String(item.id)) < share;
}

function isNew(item: unknown, since: number): boolean {
  const editedAt = isRecord(item) ? timeOf(item.last_edited_time) : null;
  return editedAt !== null && editedAt > since;
}
