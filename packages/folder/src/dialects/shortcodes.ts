/** Code is put between lines of these signs, which hardly any text has. */
const fence = "~".repeat(9);

/** `{{< name first … >}}` or `{{< /name >}}`, alone on a line. `{{< name />}}` has no content. */
const shortcode =
  /^(?<indent>[ \t]*)\{\{<\s*(?:(?<slash>\/)\s*)?(?<name>[\w./-]+)(?:\s+(?<first>[\w+#-]+))?(?:\s[^>]*)?(?<!\/)>\}\}\s*$/;
/** `[[name]]` alone on a line: TOML begins a table so, and Hugo has no such links. */
const tomlTable = /^\s*\[\[[\w."-]+\]\]\s*$/;

/** Lines of code in a shortcode. */
interface Code {
  /** The line of the shortcode's end. */
  readonly end: number;
  readonly language: string;
  readonly indent: string;
}

/**
 * Puts code that stands in a shortcode of Hugo into a fence: all of `highlight`, and the content of any other that has tables of TOML.
 * https://gohugo.io/shortcodes/highlight/ and https://gohugo.io/content-management/shortcodes/: Hugo gives the content to the shortcode
 * as it is.
 */
export function withFencedShortcodes(body: string): string {
  if (!body.includes("{{<")) return body;
  const lines = body.split("\n");
  const code = codeIn(lines);
  const written: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const found = code.get(at);
    if (found === undefined) written.push(lines[at] ?? "");
    else {
      const { end, language, indent } = found;
      written.push(`${indent}${fence}${language}`, ...lines.slice(at + 1, end), `${indent}${fence}`);
      at = end;
    }
  }
  return written.join("\n");
}

/** Finds code by the line of its shortcode, in one pass from the last line, however many shortcodes have no end. */
function codeIn(lines: readonly string[]): ReadonlyMap<number, Code> {
  const code = new Map<number, Code>();
  const ends = new Map<string, number>();
  let table = Number.POSITIVE_INFINITY;
  for (const [at, line] of [...lines.entries()].reverse()) {
    if (tomlTable.test(line)) table = at;
    const { indent = "", slash, name = "", first = "" } = shortcode.exec(line)?.groups ?? {};
    if (slash === "/") ends.set(name, at);
    const end = ends.get(name);
    if (end === undefined || end <= at) continue;
    if (name === "highlight") code.set(at, { end, language: first, indent });
    else if (table < end) code.set(at, { end, language: "toml", indent });
  }
  return code;
}
