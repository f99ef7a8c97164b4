import { useState, useSyncExternalStore } from "react";
import { timeWords } from "../words.ts";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

/** Seconds in each unit, largest first. */
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const tickMs = 20_000;

/** A time such as “2 hours ago”. Hovering shows the exact one; pressing switches to it and back. */
export function Time({ value }: { value: string }) {
  const [isExact, setExact] = useState(false);
  useSyncExternalStore(onTick, minute);
  const whole = exact.format(new Date(value));
  return (
    <button type="button" className="time-button" title={whole} onClick={() => setExact(!isExact)}>
      <time dateTime={value}>{isExact ? whole : describe((Date.parse(value) - Date.now()) / 1000)}</time>
    </button>
  );
}

/** A time that is not relative, for tables of events. */
export function ExactTime({ value }: { value: string }) {
  return <time dateTime={value}>{exact.format(new Date(value))}</time>;
}

export const dateOf = (milliseconds: number): string => day.format(new Date(milliseconds));

/** The time of day, rounded up to whole minutes. */
export function clockTime(value: string): string {
  const minute = Math.ceil(Date.parse(value) / 60_000) * 60_000;
  return new Date(minute).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** @param seconds from now, negative in the past */
function describe(seconds: number): string {
  for (const [unit, length] of units) {
    // A token created for 30 days must not show 29 a moment later.
    const amount = seconds > 0 ? Math.ceil(seconds / length) : Math.trunc(seconds / length);
    if (Math.abs(seconds) >= length) return relative.format(amount, unit);
  }
  return seconds > 0 ? timeWords.soon : timeWords.justNow;
}

function onTick(listener: () => void): () => void {
  const timer = setInterval(listener, tickMs);
  return () => clearInterval(timer);
}

const minute = (): number => Math.floor(Date.now() / tickMs);
