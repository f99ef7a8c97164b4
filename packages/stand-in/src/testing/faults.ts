import { createHash } from "node:crypto";
import type { Workspace } from "@clew/folder";
import type { ApiErrorCode } from "../http/api-error.ts";

/** Something that goes wrong with a request. */
export type Fault =
  /** The response is late by this many milliseconds. */
  | { readonly kind: "latency"; readonly milliseconds: number }
  /**
   * The API responds with an error. `retryAfter` is in seconds; without it no such header is sent. `asDate` sends it as an
   * HTTP date (RFC 9110, section 10.2.3).
   */
  | {
      readonly kind: "error";
      readonly code: ApiErrorCode;
      readonly message?: string;
      readonly retryAfter?: number;
      readonly asDate?: boolean;
    }
  /** A gateway responds with 502 and an HTML page. */
  | { readonly kind: "bad_gateway" }
  /** The body is cut at this share of its length (half by default), with a matching `Content-Length`. */
  | { readonly kind: "truncated"; readonly at?: number }
  /** The connection breaks at this share of the body (half by default). */
  | { readonly kind: "disconnected"; readonly at?: number }
  /** Lists omit pages and data sources: those with these ids, and a share of all, always the same ones. */
  | { readonly kind: "omitted"; readonly ids?: readonly string[]; readonly share?: number }
  /** Lists omit what was created or edited within this many milliseconds. Times are whole minutes. */
  | { readonly kind: "not_listed_yet"; readonly milliseconds: number }
  /** The response shows the workspace as it was when the rule was set. */
  | { readonly kind: "stale" }
  /** The cursor is no longer valid. Requests without a cursor do not match. */
  | { readonly kind: "cursor_expired" }
  /**
   * Every field of this name is missing, null or of another type, or a share of them, always the same ones.
   */
  | {
      readonly kind: "malformed";
      readonly field: string;
      readonly as: "missing" | "null" | "other";
      readonly share?: number;
    }
  /** The response is `{}`. */
  | { readonly kind: "empty" }
  /** Parents, or properties other than titles, have an unknown type: in all objects, or in a share, always the same ones. */
  | { readonly kind: "new_type"; readonly of: "parent" | "property"; readonly share?: number }
  /** The grant ends, with its refresh token. */
  | { readonly kind: "withdrawn" }
  /** The clock is off: in the `Date` header and, by whole minutes, in the times of objects and filters. */
  | { readonly kind: "clock_off"; readonly milliseconds: number };

/** The requests that a fault affects, and its frequency. */
export interface FaultRule {
  /** Method and route, such as `GET /v1/pages/:page_id/markdown`; `*` for every call except OAuth. */
  readonly on: string | readonly string[];
  /** Matches requests with this id in the path, with dashes; any by default. */
  readonly id?: string;
  /** Matches requests of this grant; any by default. */
  readonly botId?: string;
  readonly fault: Fault;
  /** The probability for each request, 1 by default. A repeated request draws again. */
  readonly probability?: number;
  /** The number of matching requests before the first fault, 0 by default. */
  readonly after?: number;
  /** The largest number of faults; unlimited by default. */
  readonly times?: number;
}

/** Controls the faults of a running stand-in. */
export interface Faults {
  /** Replaces all rules. The same seed, rules and requests cause the same faults. */
  set(rules: readonly FaultRule[], seed?: number): void;
  /** Removes all rules. */
  clear(): void;
  /** The number of faults that each current rule caused, in the order of the rules. */
  counts(): readonly number[];
}

/** A request as rules see it. */
export interface FaultyCall {
  /** `GET /v1/pages/:page_id` */
  readonly call: string;
  /** The ids in its path. */
  readonly ids: readonly string[];
  readonly botId: string | null;
  /** Null for the first page, and for requests without pages. */
  readonly cursor: string | null;
  /** Identifies the request: repeated requests have the same key. */
  readonly key: string;
}

/** A fault that was drawn for a request. */
export interface DrawnFault {
  readonly fault: Fault;
  readonly seed: number;
  /** The workspace when the rule was set. */
  readonly workspace: Workspace;
}

interface Rule extends FaultRule {
  matched: number;
  happened: number;
  /** The number of draws for each key. */
  readonly draws: Map<string, number>;
}

/** Draws faults for requests. The result does not depend on the order in which different requests arrive. */
export function createFaults(workspace: () => Workspace): {
  control: Faults;
  draw(call: FaultyCall): DrawnFault[];
} {
  let rules: Rule[] = [];
  let seed = 0;
  let workspaceAtSet = workspace();
  const happens = (rule: Rule, index: number, { key }: FaultyCall): boolean => {
    rule.matched += 1;
    if (rule.matched <= (rule.after ?? 0) || rule.happened >= (rule.times ?? Number.POSITIVE_INFINITY))
      return false;
    const draws = rule.draws.get(key) ?? 0;
    rule.draws.set(key, draws + 1);
    if (shareOf(seed, `${index} ${draws} ${key}`) >= (rule.probability ?? 1)) return false;
    rule.happened += 1;
    return true;
  };
  const set: Faults["set"] = (wanted, newSeed = 0) => {
    rules = wanted.map((rule) => ({ ...rule, matched: 0, happened: 0, draws: new Map() }));
    seed = newSeed;
    workspaceAtSet = workspace();
  };
  return {
    control: { set, clear: () => set([]), counts: () => rules.map(({ happened }) => happened) },
    draw: (call) =>
      rules
        .filter((rule, index) => matches(rule, call) && happens(rule, index, call))
        .map(({ fault }) => ({ fault, seed, workspace: workspaceAtSet })),
  };
}

function matches({ on, id, botId, fault }: FaultRule, call: FaultyCall): boolean {
  const patterns = typeof on === "string" ? [on] : on;
  return (
    patterns.some((pattern) =>
      pattern === "*" ? !call.call.includes("/v1/oauth/") : pattern === call.call,
    ) &&
    (id === undefined || call.ids.includes(id)) &&
    (botId === undefined || botId === call.botId) &&
    (fault.kind !== "cursor_expired" || call.cursor !== null)
  );
}

/** A number in [0, 1), evenly distributed, that depends only on a seed and a text. */
export function shareOf(seed: number, text: string): number {
  return createHash("sha256").update(`${seed}\0${text}`).digest().readUIntBE(0, 6) / 2 ** 48;
}
