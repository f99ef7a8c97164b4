import { isRecord } from "../workspace/front-matter.ts";
import { timeOf } from "../workspace/time.ts";
import type { Fault } from "./rule.ts";

/** How far the clock is off, in milliseconds. */
export function offsetOf(faults: readonly Fault[]): number {
  return faults.reduce((sum, fault) => (fault.kind === "clock_off" ? sum + fault.milliseconds : sum), 0);
}

const timestamps = new Set(["created_time", "last_edited_time"]);

/** JSON with its timestamps moved: those of objects, and those that filters compare with. */
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

/** A time, or the comparisons of a filter. */
function shiftEach(value: unknown, milliseconds: number): unknown {
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, limit]) => [name, shiftEach(limit, milliseconds)]),
    );
  }
  const time = timeOf(value);
  return time === null ? value : new Date(time + milliseconds).toISOString();
}
