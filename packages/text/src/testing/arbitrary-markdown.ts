import fc from "fast-check";

/** Sentences with `length` characters or a few less. */
export const prose = (length: number, word = "Word") =>
  `${`${word} follows word here. `.repeat(length / 23)}`;

/** Words of several scripts. */
// biome-ignore format: a list to read as a whole
export const scripts = [
  "Plan der Straße", "Σχέδιο έργου", "План работ", "خطة المشروع", "תוכנית עבודה", "हिंदी योजना", "แผนงานใหม่",
  "設計書を書く", "ガイドの説明", "한국어 문서", "Հայերեն պլան", "ქართული გეგმა", "🚀 C++ v2.0",
];

const marks = ["**", "*", "~~", "`", "[", "](https://a)", "\\*", "<br>", "$", "", "", ""];
const anyLine = fc
  .tuple(
    fc.constantFrom("", "# ", "- ", "\t- [ ] ", "> ", "## "),
    fc.array(
      fc.tuple(
        fc.constantFrom(...marks),
        fc.constantFrom(...scripts),
        fc.constantFrom(". ", " ", "。", ", "),
      ),
      { minLength: 1, maxLength: 60 },
    ),
  )
  .map(([prefix, parts]) => prefix + parts.flat().join(""));

/** Some lines of words in several scripts, with markup that is not always closed. */
export const anyLines = fc.array(anyLine, { minLength: 1, maxLength: 6 }).map((lines) => lines.join("\n"));

/** A page of headings, and of long and short blocks. */
export const anyPage = fc
  .array(
    fc.oneof(
      fc.nat({ max: 300 }).map((count) => "# A heading\n".repeat(count)),
      fc.constantFrom("# A heading", "## *Below* it", "", "<empty-block/>", "- item 🚀", "| a | b |"),
      fc.nat({ max: 5000 }).map((length) => prose(length, "**Word**")),
      fc.nat({ max: 3000 }).map((length) => "これは設計書です。".repeat(length / 9)),
      fc.nat({ max: 9000 }).map((length) => "ยาว".repeat(length / 3)),
      fc.nat({ max: 3000 }).map((length) => `\`\`\`\n${"let a = 1;\n".repeat(length / 11)}\`\`\``),
      fc.nat({ max: 9000 }).map((length) => "𐐔x".repeat(length / 3)),
    ),
    { maxLength: 8 },
  )
  .map((lines) => lines.join("\n"));
