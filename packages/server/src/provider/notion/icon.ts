import { notionDialect } from "./dialect.ts";
import { optionalObject, optionalText, requiredText } from "./json.ts";
import { lastingUrl } from "./lasting-url.ts";

/**
 * The icon of a page, database or data source: an emoji or an https address that lasts; null where there is none,
 * or one that only the provider's own pages can show. Throws `UnreadableError` where it has the form of none.
 * https://developers.notion.com/reference/emoji-object
 */
export function iconOf(node: unknown, dialect = notionDialect): string | null {
  if (optionalObject(node, "icon") === null) return null;
  const type = requiredText(node, "icon", "type");
  switch (type) {
    case "emoji":
      return emojiOf(optionalText(node, "icon", type));
    case "external":
    case "file":
    case "custom_emoji":
      return lastingUrl(optionalText(node, "icon", type, "url"), dialect);
    default:
      return null;
  }
}

/** An icon that is given as plain text: an emoji or an https address. */
export function iconOfText(text: string | null): string | null {
  return emojiOf(text) ?? lastingUrl(text);
}

/** A picture with what modifies or joins it, a flag, or a keycap (Unicode Technical Standard 51). */
const emoji =
  /^(?:\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{Emoji_Component}]{0,15}|\p{Regional_Indicator}{2}|[\d#*]\ufe0f?\u20e3)$/u;

function emojiOf(text: string | null): string | null {
  return text !== null && emoji.test(text) ? text : null;
}
