import { isRecord } from "../workspace/front-matter.ts";
import type { Fault } from "./rule.ts";
import { shareOf } from "./share.ts";

type Malformation = Extract<Fault, { kind: "malformed" | "empty" | "new_type" }>;

/** An answer that is malformed, or holds types that are new; other faults leave it as it is. */
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

/** Changes a field wherever it stands, or a share of those places, always the same ones. */
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

/** Gives parents, or the properties of pages but their titles, a type that nobody knows. */
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
