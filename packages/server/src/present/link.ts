/** Schemes in which a provider's URL may leave (ERR-6). */
const harmless = new Set(["https:", "mailto:"]);

/** A provider's URL as it may leave, null for any that is not https or mailto. */
export function presentLink(url: string | null): string | null {
  return url !== null && URL.canParse(url) && harmless.has(new URL(url).protocol) ? url : null;
}

/** Code points that emoji consist of, joiners, skin tones and flags' letters included (Unicode TR 51). */
const emoji = /^[\p{Emoji}\p{Emoji_Component}]{1,32}$/u;

/** A provider's icon as it may leave: an emoji or a link, null for anything else. */
export function presentIcon(icon: string | null): string | null {
  return icon !== null && emoji.test(icon) ? icon : presentLink(icon);
}
