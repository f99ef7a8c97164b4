import { notionDialect } from "./dialect.ts";
import { textAt } from "./json.ts";
import { lastingUrl } from "./lasting-url.ts";

/**
 * The icon of a page, database or data source: an emoji or an https address that lasts; null where there is none,
 * or one that only the provider's own pages can show.
 * https://developers.notion.com/reference/emoji-object
 */
export function iconOf(node: unknown, dialect = notionDialect): string | null {
  switch (textAt(node, "icon", "type")) {
    case "emoji":
      return emojiOf(textAt(node, "icon", "emoji"));
    case "external":
      return lastingUrl(textAt(node, "icon", "external", "url"), dialect);
    case "file":
      return lastingUrl(textAt(node, "icon", "file", "url"), dialect);
    case "custom_emoji":
      return lastingUrl(textAt(node, "icon", "custom_emoji", "url"), dialect);
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
