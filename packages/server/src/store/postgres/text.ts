/*
 * PostgreSQL's text cannot hold U+0000, which text in Clew may. It is stored as two characters: U+0000 as U+0001 U+0001, and
 * U+0001 as U+0001 U+0002. Text without them, nearly all of it, is stored as it is. The order of bytes is kept, so that
 * stored text sorts as the text does.
 */

/** The text as it is stored. */
export function encodeText(text: string): string {
  return text.replaceAll("\x01", "\x01\x02").replaceAll("\0", "\x01\x01");
}

/** The text of what is stored. */
export function decodeText(stored: string): string {
  return stored.replaceAll("\x01\x01", "\0").replaceAll("\x01\x02", "\x01");
}
