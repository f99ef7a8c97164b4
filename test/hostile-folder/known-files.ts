/** Files on which readers of Markdown and front matter have taken minutes, or gigabytes. */
export function knownFiles(): Readonly<Record<string, string>> {
  const row = (cells: readonly (string | number)[]) => `|${cells.join("|")}|\n`;
  const columns = (count: number) => Array.from({ length: count }, (_, index) => index);
  const table = (rows: number, width: number) =>
    row(columns(width)) +
    row(columns(width).map(() => "-")) +
    row(columns(width).map(() => "x")).repeat(rows);
  const openList = columns(9).map((index) => `  # the part number ${index}\n  "b${index}",\n`);
  const lines = (count: number, make: (index: number) => string) => columns(count).map(make).join("");
  return {
    "toml-open-list.md": `+++\ntags = [\n${openList.join("")}\ntitle = "x"\n+++\n`,
    "toml-open-texts.md": `+++\ntags = [${'"""a"""'.repeat(40)}\n+++\n`,
    "markers.md": `${"-    ".repeat(22)}x\n`,
    "many-markers.md": `${"*   ".repeat(5_000)}x\n`,
    "yaml-keys.md": `---\n${lines(60_000, (index) => `key${index}: a\n`)}---\n`,
    "yaml-endless.md": "---\nk: &a [*a]\n---\n# Endless\n",
    "emphasis.md": "**a ".repeat(12_000) + " b**".repeat(12_000),
    "words.md": "a**a".repeat(16_000),
    "bracket-pairs.md": "[".repeat(4_000) + "]".repeat(4_000),
    "yaml-alias-bomb.md": `---\na0: &a0 [x, x]\n${lines(40, (index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`)}---\n`,
    "wide-table.md": table(60, 3_000),
    "long-table.md": table(8_000, 6),
    "wiki-links.md": "[[x]] ".repeat(50_000),
    "quotes.md": ">".repeat(20_000),
    "brackets.md": "[".repeat(200_000),
    "stars.md": "*a ".repeat(40_000),
    "includes.md": "<!-- @include: a.md".repeat(40_000),
    "mdbook-includes.md": "{{#include a.md".repeat(40_000),
    "problems.md": lines(4_000, (index) => `- [ ] problem ${index} of [a](long-table.md) [[wide-table]]\n`),
  };
}

/** A note of a length that a person may have, in ordinary Markdown: it is never cut. */
export function healthyNote(megabytes: number): string {
  const sections: string[] = [];
  for (let length = 0, index = 0; length < megabytes * 1_000_000 - 2_000; index += 1) {
    const text =
      `## Section ${index}\n\nThe thread of *Ariadne* leads through [the labyrinth](ok.md) on day ${index}, ` +
      `and **nobody** counts the \`turns\`.\n\n- one thing\n- another thing\n  - below it\n\n` +
      `| day | turns |\n| --- | --- |\n| ${index} | ${index * 7} |\n\n${"Some words of an ordinary length. ".repeat(12)}\n\n`;
    sections.push(text);
    length += text.length;
  }
  return `# A long note\n\n${sections.join("")}\n\nIt ends with a pangolin.\n`;
}
