import { isRecord, timeOf } from "@clew/folder";
import { type Fault, shareOf } from "./faults.ts";

type Malformation = Extract<Fault, { kind: "malformed" | "empty" | "new_type" }>;

/** Applies the faults that change the content of a response; others leave it unchanged. */
export function malform(json: unknown, fault: Fault, seed: number): unknown {
  switch (fault.kind) {
    case "empty":
      return {};
    case "malformed":
      return withField(json, fault, seed, "");
    case "new_type":
      return withNewType(json, fault, seed);
    default:
      return json;
  }
}

/** Changes every field of a name, or a share of them, always the same ones. */
function withField(
  json: unknown,
  fault: Malformation & { kind: "malformed" },
  seed: number,
  path: string,
): unknown {
  if (Array.isArray(json)) return json.map((item, at) => withField(item, fault, seed, `${path}/${at}`));
  if (!isRecord(json)) return json;
  const own = typeof json.id === "string" ? json.id : path;
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]): [string, unknown][] => {
      const isMeant = name === fault.field && shareOf(seed, `${own} ${name}`) < (fault.share ?? 1);
      if (!isMeant) return [[name, withField(value, fault, seed, `${own}/${name}`)]];
      return fault.as === "missing" ? [] : [[name, fault.as === "null" ? null : ofOtherType(value)]];
    }),
  );
}

function ofOtherType(value: unknown): unknown {
  if (Array.isArray(value)) return {};
  if (isRecord(value)) return [];
  return typeof value === "string" ? 7 : String(value);
}

/** Gives parents, or the properties of pages other than titles, an unknown type. */
function withNewType(json: unknown, fault: Malformation & { kind: "new_type" }, seed: number): unknown {
  if (!isRecord(json)) return json;
  if (Array.isArray(json.results))
    return { ...json, results: json.results.map((item: unknown) => withNewType(item, fault, seed)) };
  if (shareOf(seed, String(json.id)) >= (fault.share ?? 1)) return json;
  if (fault.of === "parent") return withNewParent(json);
  if (json.object !== "page" || !isRecord(json.properties)) return json;
  const properties = Object.entries(json.properties).map(([name, property]) =>
    isRecord(property) && property.type !== "title"
      ? [name, { id: property.id, type: "hologram", hologram: {} }]
      : [name, property],
  );
  return { ...json, properties: Object.fromEntries(properties) };
}

function withNewParent(json: Record<string, unknown>): unknown {
  const parent = { type: "team_id", team_id: "team" };
  if (json.object === "data_source") return { ...json, database_parent: parent };
  return json.object === "page" || json.object === "database" ? { ...json, parent } : json;
}

type ListFault = Extract<Fault, { kind: "omitted" | "not_listed_yet" }>;

/** Removes from a list what the fault omits. Other responses stay unchanged. */
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

/** The milliseconds by which the faults move the clock. */
export function offsetOf(faults: readonly Fault[]): number {
  return faults.reduce((sum, fault) => (fault.kind === "clock_off" ? sum + fault.milliseconds : sum), 0);
}

const timestamps = new Set(["created_time", "last_edited_time"]);

/** Moves the timestamps in JSON, those of objects and those of filters. */
export function shiftTimes(json: unknown, milliseconds: number): unknown {
  if (Array.isArray(json)) return json.map((item) => shiftTimes(item, milliseconds));
  if (!isRecord(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      name,
      timestamps.has(name) ? shiftEach(value, milliseconds) : shiftTimes(value, milliseconds),
    ]),
  );
}

/** Moves a time, or the times in a filter condition. */
function shiftEach(value: unknown, milliseconds: number): unknown {
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, limit]) => [name, shiftEach(limit, milliseconds)]),
    );
  }
  const time = timeOf(value);
  return time === null ? value : new Date(time + milliseconds).toISOString();
}
