import { parse } from "yaml";

/** A page's text apart from the YAML before it. */
export interface FrontMatter {
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Why the YAML could not be used. */
  readonly fault: string | null;
}

const fenced = /^---[ \t]*\n(?:([\s\S]*?)\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/**
 * Splits a text into its front matter and its body. Front matter that does not parse is left out, for nobody wrote it to
 * be read; what parses and is no map of names to values is text between two lines.
 */
export function splitFrontMatter(text: string): FrontMatter {
  const match = fenced.exec(text);
  if (match === null) return { data: {}, body: text, fault: null };
  const yaml = readYamlMap(match[1] ?? "");
  const body = text.slice(match[0].length);
  if (yaml.ok) return { data: yaml.data, body, fault: null };
  return { data: {}, body: yaml.isYaml ? text : body, fault: yaml.fault };
}

type YamlMap =
  | { readonly ok: true; readonly data: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly isYaml: boolean; readonly fault: string };

/** Reads YAML that should be a map; empty YAML is an empty map. */
export function readYamlMap(text: string): YamlMap {
  try {
    const value: unknown = parse(text, { logLevel: "error", prettyErrors: false });
    if (value === null || value === undefined) return { ok: true, data: {} };
    if (isRecord(value)) return { ok: true, data: value };
    return { ok: false, isYaml: true, fault: "is not a map of names to values" };
  } catch (error) {
    return { ok: false, isYaml: false, fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether a value of unknown origin is a map. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
