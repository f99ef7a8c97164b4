/*
 * Names are shown beside others, on pages and terminals. An invisible character can hide part of a name, reverse
 * its order (U+202E) or make two names look alike (U+200B).
 */

/** Control and format characters, line separators, and other characters that show nothing. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Characters that are visible by themselves, unlike spaces and combining accents. */
const visible = String.raw`[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]`;

/**
 * Invisible characters that belong to the visible ones around them: a joiner or non-joiner between two (Persian, Indic
 * scripts, emoji of several parts), the variation selector after one, and the tags after a flag (England's).
 */
const partOfVisible = new RegExp(
  [
    String.raw`(?<=${visible}[\p{M}\ufe00-\ufe0f]*)[\u200c\u200d](?=${visible}|\p{M})`,
    String.raw`(?<=${visible})[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=\u{1f3f4})[\u{e0020}-\u{e007e}]+\u{e007f}`,
  ].join("|"),
  "gu",
);

/** The invisible characters of a text, each once, in the form `U+202E`. */
export function invisibleCharacters(text: string): string[] {
  return [...new Set(text.replaceAll(partOfVisible, "").match(invisible))].map(codePoint);
}

/** Whether a text has a visible character. */
export function hasVisibleCharacter(text: string): boolean {
  return new RegExp(visible, "u").test(text);
}

/** The text with each invisible character written as `<U+202E>`, so that different texts look different. */
export function withInvisibleEscaped(text: string): string {
  let escaped = "";
  let end = 0;
  for (const { 0: part, index } of text.matchAll(partOfVisible)) {
    escaped += escapeAll(text.slice(end, index)) + part;
    end = index + part.length;
  }
  return escaped + escapeAll(text.slice(end));
}

const escapeAll = (text: string) => text.replaceAll(invisible, (character) => `<${codePoint(character)}>`);

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
