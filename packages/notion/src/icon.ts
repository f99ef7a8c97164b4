import { optionalObject, optionalText, requiredText } from "./json.ts";
import { notionDialect, permanentUrl } from "./urls.ts";

/**
 * The icon of a page, database or data source: an emoji or an https address that does not expire; null if there is none,
 * or one that only Notion can show. Throws `UnreadableError`. https://developers.notion.com/reference/emoji-object
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
      return permanentUrl(optionalText(node, "icon", type, "url"), dialect);
    default:
      return null;
  }
}

/** An icon that is given as text: an emoji or an https address. */
export function iconOfText(text: string | null): string | null {
  return emojiOf(text) ?? permanentUrl(text);
}

/** A pictograph with modifiers, a flag, or a keycap (Unicode Technical Standard 51). */
const emoji =
  /^(?:\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{Emoji_Component}]{0,15}|\p{Regional_Indicator}{2}|[\d#*]\ufe0f?\u20e3)$/u;

function emojiOf(text: string | null): string | null {
  return text !== null && emoji.test(text) ? text : null;
}
