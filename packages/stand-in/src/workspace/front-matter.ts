import { parse } from "yaml";

/** A page's text apart from the YAML before it. */
export interface FrontMatter {
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Why the YAML could not be read; the body is then the whole text. */
  readonly fault: string | null;
}

const fenced = /^---[ \t]*\n(?:([\s\S]*?)\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/** Splits a text into its front matter and its body. */
export function splitFrontMatter(text: string): FrontMatter {
  const match = fenced.exec(text);
  if (match === null) return { data: {}, body: text, fault: null };
  const yaml = readYamlMap(match[1] ?? "");
  if (!yaml.ok) return { data: {}, body: text, fault: yaml.fault };
  return { data: yaml.data, body: text.slice(match[0].length), fault: null };
}

type YamlMap =
  | { readonly ok: true; readonly data: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly fault: string };

/** Reads YAML that should be a map; empty YAML is an empty map. */
export function readYamlMap(text: string): YamlMap {
  try {
    const value: unknown = parse(text, { logLevel: "error", prettyErrors: false });
    if (value === null || value === undefined) return { ok: true, data: {} };
    if (isRecord(value)) return { ok: true, data: value };
    return { ok: false, fault: "is not a map of names to values" };
  } catch (error) {
    return { ok: false, fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether a value of unknown origin is a map. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
