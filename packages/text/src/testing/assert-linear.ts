import { Session } from "node:inspector";

/** Openings, ends and parts of all markup: a reader that looks for the other end has to look far. */
// biome-ignore format: a list to read as a whole
const units = [
  "[", "![", "[a](", "](", "[a](((", "[a]", "[a](b)", "[a](b[a](b", "[^", "[^a", "[^[", "(", ")", "]", "<",
  "<a", "<a ", '<a b="', '<a b="" ', "<a:", "<br>", "<td>", "<tr>\n", "<tr>\n<td>", "</tr>\n", "<a =",
  "<!--", '<mention-date start="1"/>', "<empty-block/>\n", "`", "` ", "``a", "`\\", "$", "$ ", "\\$", "$a",
  "\\", "*", "* ", "*a", "**a*", "~~", "~~a", "~ ", "{", '{a="', "}", "}\n", "|", "| a ", "|-", "-", "- ",
  "> ", "1. ", "#", "# a\n", "## \n", "```\n", "~~~\n", "```", "$$\n", "\t", "\t\n", "\n", "\r\n", "---\n",
  ".", ". ", '."', "。", "!?", "a.b", "A. ", "\u00a0", "a", "é", "e\u0301", "\u0301", "設", "ก้", "か\u3099",
  "ﷺ", "한", "ᄀ", "🚀", "\ud800", "\udc00", "\u200b", "+", "c+", "𐐔",
];

/** Texts of about `size` units on which a careless reader takes quadratic time. */
const textsOf = (size: number): string[] => [
  ...units.map((unit) => unit.repeat(size / unit.length)),
  ...units.map((unit) => `${unit}${" ".repeat(size)}`),
  ...[
    ["[", "](u)"],
    ["*a ", " a*"],
    ['<a b="', '">'],
  ].map(([open = "", close = ""]) => open.repeat(size / 10) + close.repeat(size / 10)),
  Array.from({ length: Math.sqrt(2 * size) }, (_, length) => "`".repeat(length)).join(" "),
  Array.from({ length: Math.sqrt(2 * size) }, (_, length) => "*".repeat(length)).join("a "),
  Array.from({ length: Math.sqrt(2 * size) }, (_, depth) => `${"\t".repeat(depth)}- a`).join("\n"),
];

/** Throws if the steps to read a text of `textsOf` do not grow with its length alone. `isReader` selects files by URL. */
export function assertLinear(read: (text: string) => void, isReader: (url: string) => boolean): void {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const [shorter, longer] = [textsOf(5_000), textsOf(20_000)];
  for (const [index, text] of shorter.entries()) {
    const name = JSON.stringify(text.slice(0, 20));
    read(text);
    const few = stepsOf(session, isReader, () => read(text));
    const many = stepsOf(session, isReader, () => read(longer[index] ?? ""));
    // Linear work is 4 times as much, quadratic 16 times. Calls that V8 has inlined are not counted: up to half of the steps.
    if (many >= 8 * few + 1000) throw new Error(`${name}: ${few} steps, then ${many}`);
    if (few >= 200 * text.length) throw new Error(`${name}: ${few} steps`);
  }
  session.disconnect();
}

/** Counts how often the statements of the selected files run. */
function stepsOf(session: Session, isReader: (url: string) => boolean, work: () => void): number {
  const count = () => {
    let steps = 0;
    session.post("Profiler.takePreciseCoverage", (_, { result }) => {
      for (const { url, functions } of result) {
        if (!isReader(url)) continue;
        for (const { ranges } of functions) for (const range of ranges) steps += range.count;
      }
    });
    return steps;
  };
  count();
  work();
  return count();
}
