/*
 * Characters that show nothing. In a name they hide a part of it, reverse its order (U+202E) or make two names look alike
 * (U+200B). In the text of a page they carry words that people do not see and models read, for example as tags (U+E0041).
 */

/**
 * Characters that no one sees in a running text, the marks that change its direction or annotate it, and controls and line
 * separators but tab and line feed: a terminal that shows an answer obeys them.
 */
const hidden = String.raw`[\p{Default_Ignorable_Code_Point}\u{fff9}-\u{fffb}[\p{Cc}--[\t\n]]\p{Zl}\p{Zp}]`;

/** In names also tabs, line feeds, all other format characters and the empty braille pattern. */
const hiddenInNames = String.raw`[${hidden}\p{Cc}\p{Cf}\u{2800}]`;

/** Characters that are visible by themselves, unlike spaces and combining accents. */
const visible = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u{2800}]/v;

/** Scripts whose letters are written the same with and without a joiner between them. */
const unjoined = [
  "Latin",
  "Greek",
  "Cyrillic",
  "Armenian",
  "Georgian",
  "Hebrew",
  "Han",
  "Hiragana",
  "Katakana",
]
  .concat(["Hangul", "Bopomofo", "Common", "Inherited"])
  .map((script) => String.raw`\p{Script=${script}}`)
  .join("");

/** Letters of all other scripts, such as Arabic and Devanagari. */
const joiningLetter = String.raw`[[\p{L}\p{M}]--[\p{Default_Ignorable_Code_Point}${unjoined}]]`;

/**
 * Hidden characters that belong to the visible ones around them. Each is bound to what it can be part of, because any of them
 * could otherwise carry text: a selector after every letter is as good as an alphabet.
 */
const partsOfVisible = [
  // A joiner or non-joiner within a word: Persian, Indic scripts.
  String.raw`(?<=${joiningLetter}\p{M}*)[\u{200c}\u{200d}](?=${joiningLetter})`,
  // Emoji of several parts.
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\u{fe0f}?)\u{200d}(?=\p{Extended_Pictographic})`,
  // Emoji or text style; variants of ideographs, mathematical signs and letters.
  String.raw`(?<=\p{Emoji})[\u{fe0e}\u{fe0f}]`,
  String.raw`(?<=\p{Ideographic})[\u{fe00}-\u{fe02}\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=[\p{Sm}\p{Script=Myanmar}\p{Script=Phags_Pa}])\u{fe00}`,
  String.raw`(?<=\p{Script=Mongolian})[\u{180b}-\u{180f}]`,
  // The tags of a region in a flag, such as England's (Unicode TS 51, annex C).
  String.raw`(?<=\u{1f3f4})[\u{e0061}-\u{e007a}]{2}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,4}\u{e007f}`,
].join("|");

/** Finds what belongs to visible characters, in the group `part`, and else the given characters. */
const finding = (characters: string) => new RegExp(`(?<part>${partsOfVisible})|${characters}`, "gv");

/** Finds hidden characters in a running text; those that belong to visible ones are in the group `part`. */
export const hiddenInText = finding(hidden);
const inNames = finding(hiddenInNames);
/** Finds whether a running text may have hidden characters. */
export const anyHidden = new RegExp(hidden, "v");

/** The characters of a name that are hidden, each once, in the form `U+202E`. */
export function invisibleCharacters(name: string): string[] {
  const found = [...name.matchAll(inNames)].filter(({ groups }) => groups?.part === undefined);
  return [...new Set(found.map(([character]) => codePoint(character)))];
}

/** Whether a text has a visible character. */
export function hasVisibleCharacter(text: string): boolean {
  return visible.test(text);
}

/** The name with each hidden character written as `<U+202E>`, so that different names look different. */
export function withInvisibleEscaped(name: string): string {
  return name.replace(inNames, (found, part?: string) => part ?? `<${codePoint(found)}>`);
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
