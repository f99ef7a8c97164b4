/** A Markdown file's front matter and the lines below it. */
export interface Parted {
  /** The YAML without its fences; empty if there is none. */
  readonly head: string;
  readonly body: readonly string[];
  /** The 1-based line number of the first body line. */
  readonly firstLine: number;
}

/** Splits off the front matter: from a first line `---` to the next `---` or `...`. */
export function partFrontMatter(source: string): Parted {
  const lines = source.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const end = /^---\s*$/.test(lines[0] ?? "") ? lines.findIndex((line, at) => at > 0 && isFence(line)) : -1;
  return {
    head: lines.slice(1, Math.max(end, 1)).join("\n"),
    body: lines.slice(end + 1),
    firstLine: end + 2,
  };
}

const isFence = (line: string) => /^(?:---|\.\.\.)\s*$/.test(line);

/** The value of a `title:` line in YAML, without quotes and comment; null if there is none. */
export function yamlTitle(yaml: string): string | null {
  const value = /^title:[ \t]*(.+)$/m.exec(yaml)?.[1]?.trim();
  if (value === undefined) return null;
  const quoted = /^"((?:[^"\\]|\\.)*)"|^'((?:[^']|'')*)'/.exec(value);
  if (quoted?.[1] !== undefined) return quoted[1].replace(/\\(.)/g, "$1");
  if (quoted?.[2] !== undefined) return quoted[2].replaceAll("''", "'");
  return value.replace(/\s+#.*$/, "");
}

/** The values of `alias:` or `aliases:` in YAML: one value, or a list in brackets or on lines. */
export function yamlAliases(yaml: string): string[] {
  const found = /^alias(?:es)?:[ \t]*(.*)((?:\n[ \t]*- .*)*)/im.exec(yaml);
  const [, value = "", lines = ""] = found ?? [];
  const listed =
    /^\[(.*)\]/.exec(value)?.[1]?.split(",") ?? (value === "" ? lines.split(/\n[ \t]*- /) : [value]);
  return listed.map((alias) => alias.trim().replace(/^(["'])(.*)\1$/, "$2")).filter((alias) => alias !== "");
}
