import type { Workspace } from "../workspace/workspace.ts";
import type { Fault, FaultRule } from "./rule.ts";
import { shareOf } from "./share.ts";

/** Sets what goes wrong, while the stand-in serves. */
export interface Faults {
  /** Puts these rules in place of all others. The same seed, rules and requests bring the same faults. */
  set(rules: readonly FaultRule[], seed?: number): void;
  /** Nothing goes wrong any more. */
  clear(): void;
  /** How often each of the rules happened that were set last, in their order. */
  counts(): readonly number[];
}

/** A request, as rules look at it. */
export interface FaultyCall {
  /** `GET /v1/pages/:page_id` */
  readonly call: string;
  /** The ids in its path. */
  readonly ids: readonly string[];
  readonly botId: string | null;
  /** From where on it lists; null from the beginning, or where it lists nothing. */
  readonly cursor: string | null;
  /** What tells it from other requests: those alike draw one after the other. */
  readonly key: string;
}

/** A fault that happens to a request. */
export interface DrawnFault {
  readonly fault: Fault;
  readonly seed: number;
  /** The workspace as it was last read when the rule was set. */
  readonly workspace: Workspace;
}

interface Rule extends FaultRule {
  matched: number;
  happened: number;
  /** How many requests of one key have drawn. */
  readonly draws: Map<string, number>;
}

/** Keeps the rules and draws for each request. Chance does not depend on the order in which different requests arrive. */
export function createFaults(workspace: () => Workspace): {
  control: Faults;
  draw(call: FaultyCall): DrawnFault[];
} {
  let rules: Rule[] = [];
  let seed = 0;
  let remembered = workspace();
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
    remembered = workspace();
  };
  return {
    control: { set, clear: () => set([]), counts: () => rules.map(({ happened }) => happened) },
    draw: (call) =>
      rules
        .filter((rule, index) => isMeant(rule, call) && happens(rule, index, call))
        .map(({ fault }) => ({ fault, seed, workspace: remembered })),
  };
}

function isMeant({ on, id, botId, fault }: FaultRule, call: FaultyCall): boolean {
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
