import { LRUCache } from "lru-cache";
import { timeRange } from "../model/runtime.ts";

const dayMs = 86_400_000;

/** Formatted dates by day since the Unix epoch, for about eleven years. */
const dates = new LRUCache<number, string>({
  max: 4096,
  memoMethod: (day) => new Date(day * dayMs).toISOString().slice(0, -13),
});

/**
 * Milliseconds since the Unix epoch as RFC 3339 in UTC with milliseconds, like `toISOString`, which takes five times
 * as long: it was a third of the work of lists, which have two timestamps per node. Times beyond the years 1 to 9999, which
 * RFC 3339 cannot express, become the nearest that it can.
 */
export function formatTimestamp(time: number): string {
  const milliseconds = Math.min(Math.max(time, timeRange.first), timeRange.last);
  const day = Math.floor(milliseconds / dayMs);
  const ofDay = milliseconds - day * dayMs;
  const hour = twoDigits(Math.floor(ofDay / 3_600_000));
  const minute = twoDigits(Math.floor(ofDay / 60_000) % 60);
  const second = twoDigits(Math.floor(ofDay / 1000) % 60);
  const fraction = ofDay % 1000;
  return `${dates.memo(day)}${hour}:${minute}:${second}.${fraction < 100 ? "0" : ""}${twoDigits(fraction)}Z`;
}

const twoDigits = (value: number) => (value < 10 ? `0${value}` : String(value));

export function formatOptionalTimestamp(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatTimestamp(milliseconds);
}

/** Schemes of provider URLs that responses may contain (ERR-6). */
const harmless = new Set(["https:", "mailto:"]);

/** URLs that parse whatever follows. Most are of this form, and parsing is a considerable part of listing nodes. */
const plainHttps = /^https:\/\/(?:[a-z]+\.)+[a-z]+\//;

/**
 * A provider's URL for a response: https, mailto, or a page of the demo workspace, which may be served on plain http.
 * The host of a demo page was checked when the URL was read. null for any other URL.
 */
export function presentLink(url: string | null): string | null {
  if (url === null || plainHttps.test(url)) return url;
  const parsed = URL.parse(url);
  return parsed !== null && (harmless.has(parsed.protocol) || isOfDemo(parsed)) ? url : null;
}

function isOfDemo({ protocol, pathname }: URL): boolean {
  return protocol === "http:" && pathname.includes("/demo/");
}

/** Code points that emoji consist of, including joiners, skin tones and the letters of flags (Unicode TR 51). */
const emoji = /^[\p{Emoji}\p{Emoji_Component}]{1,32}$/u;

/** A provider's icon for a response: an emoji or a link, null for anything else. */
export function presentIcon(icon: string | null): string | null {
  return icon !== null && emoji.test(icon) ? icon : presentLink(icon);
}
