import { readTomlMap } from "./toml.ts";
import { faultOfSize, parseYaml } from "./yaml.ts";

/** The front matter and text of a page. */
export interface FrontMatter {
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** The reason why it was ignored. */
  readonly fault: string | null;
}

/** Bytes of front matter that are parsed. Front matter of pages has a few hundred. */
const maxFrontMatter = 64 * 1024;

const fenced = /^---[ \t]*\n(?:([\s\S]*?)\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/**
 * Splits a text into its front matter and its body. Front matter that does not parse is dropped. If it parses but is not
 * a map, the lines are ordinary text. Front matter between lines of `+++` is TOML.
 */
export function splitFrontMatter(text: string): FrontMatter {
  const match = fenced.exec(text);
  const toml = match === null ? fencedToml.exec(text) : null;
  if (toml !== null) return tomlFrontMatter(toml, text);
  if (match === null) return { data: {}, body: text, fault: null };
  const yaml = readYamlMap(match[1] ?? "", maxFrontMatter);
  const body = text.slice(match[0].length);
  if (yaml.ok) return { data: yaml.data, body, fault: null };
  return { data: {}, body: yaml.isYaml ? text : body, fault: yaml.fault };
}

/** TOML, as in Hugo (https://gohugo.io/content-management/front-matter/). */
const fencedToml = /^\+\+\+[ \t]*\n(?:([\s\S]*?)\n)?\+\+\+[ \t]*(?:\n|$)/;

function tomlFrontMatter(match: RegExpExecArray, text: string): FrontMatter {
  const toml = match[1] ?? "";
  const body = text.slice(match[0].length);
  const tooLong = faultOfSize(toml, maxFrontMatter);
  if (tooLong !== null) return { data: {}, body, fault: tooLong };
  const data = readTomlMap(toml);
  return data === null ? { data: {}, body, fault: "it is not TOML" } : { data, body, fault: null };
}

type YamlMap =
  | { readonly ok: true; readonly data: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly isYaml: boolean; readonly fault: string };

/** Reads YAML that should be a map, of at most a number of bytes; empty YAML is an empty map. */
export function readYamlMap(text: string, maxBytes: number): YamlMap {
  try {
    const value = parseYaml(text, maxBytes);
    if (value === null || value === undefined) return { ok: true, data: {} };
    if (isRecord(value)) return { ok: true, data: value };
    return { ok: false, isYaml: true, fault: "it is not a map of names to values" };
  } catch (error) {
    return { ok: false, isYaml: false, fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether a value is an object and not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const minute = 60_000;

/** A time rounded down to the minute, as in the API (https://developers.notion.com/reference/page). */
export function minuteOf(time: number): number {
  return Math.floor(time / minute) * minute;
}

const date = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?)?$/;

/** Whether a text is a valid ISO 8601 date, or date and time. Spaces may separate day, time and zone, as in Jekyll. */
export function isDate(text: string): boolean {
  const day = date.exec(text)?.[1];
  return day !== undefined && isDay(day) && !Number.isNaN(Date.parse(withZone(text)));
}

/** Whether the calendar has a day. `Date.parse` takes 30 February for 2 March. */
function isDay(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** Parses a time of front matter; null if it is invalid. A time without a zone is in UTC. */
export function timeOf(value: unknown): number | null {
  return typeof value === "string" && isDate(value.trim()) ? Date.parse(withZone(value.trim())) : null;
}

function withZone(text: string): string {
  const time = text.replace(" ", "T").replace(" ", "");
  return time.includes("T") && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(time) ? `${time}Z` : time;
}

/** Parses an icon: an emoji or an https URL; null for anything else. */
export function iconOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const icon = value.trim();
  if (isEmoji(icon)) return icon;
  return URL.canParse(icon) && new URL(icon).protocol === "https:" ? icon : null;
}

/** Whether a text is a single emoji. */
export function isEmoji(text: string): boolean {
  // The pattern for sequences takes long to compile, and most emoji are of one character.
  return (
    /^\p{Emoji_Presentation}$|^\p{Extended_Pictographic}\uFE0F?$/u.test(text) || /^\p{RGI_Emoji}$/v.test(text)
  );
}
