import type { Fault, FaultRule } from "@clew/stand-in/testing";
import type { Random } from "@clew/stand-in/testing/random";

/** The faults during one sync. */
export interface Disturbance {
  readonly rules: readonly FaultRule[];
  /** All access tokens expire after this many calls; null for never. */
  readonly expiresAfter: number | null;
  /** Pages and databases that lists leave out. */
  readonly omitted: readonly string[];
  /** Pages for which the provider answers 404. */
  readonly denied: readonly string[];
  /** Milliseconds during which lists omit what was edited. */
  readonly lag: number;
  /** Whether lists show the state before the latest changes. */
  readonly isStale: boolean;
  /** Milliseconds by which the provider's clock is off. */
  readonly clockOff: number;
  /** Whether parents or properties have unknown types. */
  readonly hasNewTypes: boolean;
}

/** The input from which a disturbance is drawn. */
interface Draw {
  readonly random: Random;
  /** The ids of all pages and databases. */
  readonly ids: readonly string[];
  /** Whether this is the only kind of fault, so that it may happen often. */
  readonly isAlone: boolean;
}

const none = {
  rules: [],
  expiresAfter: null,
  omitted: [],
  denied: [],
  lag: 0,
  isStale: false,
  clockOff: 0,
  hasNewTypes: false,
};

const search = "POST /v1/search";
const query = "POST /v1/data_sources/:data_source_id/query";
const items = "GET /v1/pages/:page_id/properties/:property_id";
const minute = 60_000;

const whole = ({ random }: Draw, least: number, most: number) =>
  least + Math.floor(random() * (most - least + 1));

/** A random share of the ids, at least one. */
function some({ random, ids }: Draw, share: number): string[] {
  const chosen = ids.filter(() => random() < share);
  return chosen.length > 0 ? chosen : ids.slice(0, 1);
}

/** A fault of any call, rare or frequent. */
function anywhere(draw: Draw, fault: Fault): Partial<Disturbance> {
  const [rare = 0, ...often] = [0.05, 0.3, 0.6, 0.85];
  const probability = draw.isAlone ? (often[whole(draw, 0, 3)] ?? rare) : draw.random() * 0.1;
  return { rules: [{ on: "*", fault, probability }] };
}

/** A fault of search lists, and usually of row lists too. */
function toLists(draw: Draw, fault: Fault): FaultRule[] {
  return [{ on: draw.random() < 0.7 ? [search, query] : [search], fault }];
}

function oneOf<T>({ random }: Draw, [first, ...others]: readonly [T, ...T[]]): T {
  const all = [first, ...others];
  return all[Math.floor(random() * all.length)] ?? first;
}

/** A malformed field. */
function malformed(draw: Draw, fields: readonly [string, ...string[]]): Fault {
  const as = oneOf<"missing" | "null" | "other">(draw, ["missing", "null", "other"]);
  return { kind: "malformed", field: oneOf(draw, fields), as, share: oneOf(draw, [0.1, 0.5, 1]) };
}

const drawers = {
  latency: (draw) => anywhere(draw, { kind: "latency", milliseconds: whole(draw, 100, 30_000) }),
  "429": (draw) => anywhere(draw, { kind: "error", code: "rate_limited", retryAfter: whole(draw, 1, 120) }),
  "429 until a date": (draw) =>
    anywhere(draw, { kind: "error", code: "rate_limited", retryAfter: whole(draw, 1, 120), asDate: true }),
  "429 without Retry-After": (draw) => anywhere(draw, { kind: "error", code: "rate_limited" }),
  "529": (draw) => anywhere(draw, { kind: "error", code: "service_overload" }),
  "500": (draw) => anywhere(draw, { kind: "error", code: "internal_server_error" }),
  "502 with HTML": (draw) => anywhere(draw, { kind: "bad_gateway" }),
  "truncated JSON": (draw) => anywhere(draw, { kind: "truncated", at: draw.random() }),
  disconnected: (draw) => anywhere(draw, { kind: "disconnected", at: draw.random() }),
  "lists omit": (draw) => {
    const omitted = some(draw, draw.random() * 0.6);
    return { omitted, rules: toLists(draw, { kind: "omitted", ids: omitted }) };
  },
  "lists lag": (draw) => {
    const lag = whole(draw, 1, 120) * minute;
    return { lag, rules: toLists(draw, { kind: "not_listed_yet", milliseconds: lag }) };
  },
  "lists are stale": (draw) => ({ isStale: true, rules: toLists(draw, { kind: "stale" }) }),
  "404 on a page": (draw) => {
    const [id = ""] = some(draw, 0.1);
    const fault = { kind: "error", code: "object_not_found" } as const;
    const on = [
      "GET /v1/pages/:page_id",
      "GET /v1/pages/:page_id/markdown",
      "GET /v1/databases/:database_id",
    ];
    return { denied: [id], rules: [{ on, id, fault }] };
  },
  "400 on a page": (draw) => ({
    rules: some(draw, 0.1).map((id) => ({
      on: [
        "GET /v1/pages/:page_id/markdown",
        "GET /v1/blocks/:block_id/children",
        "GET /v1/blocks/:block_id",
      ],
      id,
      fault: { kind: "error", code: "validation_error" },
    })),
  }),
  "500 on a page": (draw) => ({
    rules: some(draw, 0.05).map((id) => ({
      on: "*",
      id,
      fault: { kind: "error", code: "internal_server_error" },
    })),
  }),
  "cursor expired": (draw) => {
    const probability = draw.isAlone && draw.random() < 0.5 ? 1 : 0.2;
    return { rules: [{ on: [search, query], fault: { kind: "cursor_expired" }, probability }] };
  },
  withdrawn: (draw) => ({
    rules: [{ on: "*", fault: { kind: "withdrawn" }, after: whole(draw, 0, 200), times: 1 }],
  }),
  "token expired": (draw) => ({ expiresAfter: whole(draw, 0, 100) }),
  "clock off": (draw) => {
    const clockOff = (draw.random() < 0.5 ? 1 : -1) * whole(draw, 1, 240) * minute;
    return { clockOff, rules: [{ on: "*", fault: { kind: "clock_off", milliseconds: clockOff } }] };
  },
  "malformed lists": (draw) => {
    const fault = malformed(draw, ["results", "has_more", "next_cursor", "object", "property_item"]);
    return { rules: [{ on: oneOf(draw, [[search], [query], [items], [search, query, items]]), fault }] };
  },
  "malformed objects": (draw) =>
    anywhere(
      draw,
      malformed(draw, [
        "id",
        "object",
        "type",
        "created_time",
        "last_edited_time",
        "parent",
        "database_parent",
        "data_sources",
        "properties",
        "title",
        "url",
        "in_trash",
      ]),
    ),
  "malformed properties": (draw) => {
    const fault = malformed(draw, ["relation", "title", "type", "Peers", "Name", "plain_text", "id"]);
    // A 404 for a property is a valid response.
    const isAnswer = fault.kind === "malformed" && fault.field === "Peers" && fault.as === "missing";
    return anywhere(draw, isAnswer ? { ...fault, as: "null" } : fault);
  },
  "malformed texts": (draw) => {
    const fault = malformed(draw, ["markdown", "truncated", "unknown_block_ids"]);
    const probability = draw.random();
    return { rules: [{ on: "GET /v1/pages/:page_id/markdown", fault, probability }] };
  },
  "answers {}": (draw) => anywhere(draw, { kind: "empty" }),
  "new types": (draw) => ({
    hasNewTypes: true,
    rules: [
      {
        on: "*",
        fault: { kind: "new_type", of: oneOf(draw, ["parent", "property"]), share: oneOf(draw, [0.3, 1]) },
      },
    ],
  }),
} satisfies Record<string, (draw: Draw) => Partial<Disturbance>>;

/** A kind of fault. */
export type Kind = keyof typeof drawers;

export const kinds = Object.keys(drawers) as readonly Kind[];

/** Draws the faults of one kind. */
export function disturbanceOf(kind: Kind, draw: Draw): Disturbance {
  return { ...none, ...drawers[kind](draw) };
}

/** Combines disturbances. */
export function united(all: readonly Disturbance[]): Disturbance {
  return {
    rules: all.flatMap(({ rules }) => rules),
    expiresAfter: all.map(({ expiresAfter }) => expiresAfter).find((after) => after !== null) ?? null,
    omitted: all.flatMap(({ omitted }) => omitted),
    denied: all.flatMap(({ denied }) => denied),
    lag: Math.max(0, ...all.map(({ lag }) => lag)),
    isStale: all.some(({ isStale }) => isStale),
    clockOff: all.reduce((sum, { clockOff }) => sum + clockOff, 0),
    hasNewTypes: all.some(({ hasNewTypes }) => hasNewTypes),
  };
}
