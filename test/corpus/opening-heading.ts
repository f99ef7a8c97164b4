/** The lines that may precede the first words: a blank line, a comment, an import or export of MDX. */
const before =
  /^(?:[ \t]*\n|[ \t]*<!--[\s\S]*?-->|[ \t]*\{\/\*[\s\S]*?\*\/\}|(?:import|export) .*["'{].*(?:\n.+)*)/;

/** The `# heading` at the beginning of a text; null if there is none. */
export function openingHeading(body: readonly string[]): string | null {
  let text = body.join("\n");
  while (before.test(text)) text = text.replace(before, "");
  const [first = "", second = ""] = text.split("\n");
  const heading = /^ {0,3}# +(.*)$/.exec(first)?.[1] ?? (/^=+\s*$/.test(second) ? first : null);
  return heading?.replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, "$1").trim() || null;
}
