/** An icon as front matter gives it: an emoji or an https URL; null for anything else. */
export function iconOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const icon = value.trim();
  if (isEmoji(icon)) return icon;
  return URL.canParse(icon) && new URL(icon).protocol === "https:" ? icon : null;
}

/** Whether a text is one emoji. */
export function isEmoji(text: string): boolean {
  return (
    /^\p{RGI_Emoji}$/v.test(text) || /^\p{Emoji_Presentation}$|^\p{Extended_Pictographic}\uFE0F?$/u.test(text)
  );
}
