/*
 * Names are shown beside others, on pages and terminals. A character that is not seen can hide what a name says, turn
 * its order around (U+202E) or make two names look alike (U+200B).
 */

/** Control and format characters, separators of lines, and whatever else leaves no mark where it stands. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** What leaves a mark by itself: no space, no accent without a letter. */
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

/** The characters of a text that are not seen where they stand, as `U+202E`, each once. */
export function invisibleCharacters(text: string): string[] {
  return [...new Set(text.replaceAll(partOfVisible, "").match(invisible))].map(codePoint);
}

/** Whether a text has a character that is seen. */
export function hasVisibleCharacter(text: string): boolean {
  return new RegExp(visible, "u").test(text);
}

/** The text with each character that is not seen written as `<U+202E>`, so that no two texts look the same for it. */
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
