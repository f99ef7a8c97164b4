import { isRecord } from "../workspace/front-matter.ts";
import type { ReadText } from "../workspace/title.ts";

/**
 * Puts the words and links of a site's home page, which stand in its front matter, before its text: `hero` with its actions, and
 * `features` (https://vitepress.dev/reference/default-theme-home-page, https://starlight.astro.build/reference/frontmatter/#hero).
 */
export function withHomeText(text: ReadText): ReadText {
  const { hero, features, ...data } = text.data;
  if (!isRecord(hero) && !Array.isArray(features)) return text;
  const lines = [
    ...(isRecord(hero) ? heroLines(hero) : []),
    ...(Array.isArray(features) ? features.filter(isRecord).map(featureLine) : []),
  ];
  return { ...text, data, body: `${lines.join("\n\n")}\n\n${text.body}` };
}

function heroLines(hero: Readonly<Record<string, unknown>>): string[] {
  const words = [hero.name, hero.text, hero.tagline].flatMap((each) => textOf(each) ?? []);
  const actions = Array.isArray(hero.actions) ? hero.actions.filter(isRecord) : [];
  return [...words, ...actions.map((action) => linked(textOf(action.text) ?? "", action.link))];
}

function featureLine(feature: Readonly<Record<string, unknown>>): string {
  const title = linked(textOf(feature.title) ?? "", feature.link);
  return `- **${title}** ${textOf(feature.details) ?? ""}`.trimEnd();
}

function linked(words: string, target: unknown): string {
  return typeof target === "string" && target !== "" ? `[${words || target}](<${target}>)` : words;
}

/** In one line. */
function textOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.replace(/\s+/g, " ").trim() : null;
}
