import type { Planned } from "./outline.ts";
import type { Random } from "./random.ts";
import { sentenceOf } from "./words.ts";

/** Where links lead that name a page: from the root of the workspace. */
export function linkPathOf({ path, kind, hasChildren }: Planned): string {
  return kind === "database" || hasChildren ? `/${path}/` : `/${path}.md`;
}

/** The text of a page: nothing, a few paragraphs, or now and then very many, with these links in it. */
export function textOf(random: Random, targets: readonly Planned[]): string {
  const count = random.chance(0.02) ? random.whole(40, 200) : random.whole(0, 6);
  const blocks = Array.from({ length: Math.max(count, targets.length) }, () => blockOf(random));
  for (const target of targets) {
    const place = random.whole(0, blocks.length - 1);
    blocks[place] = `${sentenceOf(random, 4)} See ${linkTo(random, target)}.\n\n${blocks[place]}`;
  }
  return blocks.join("\n\n");
}

function linkTo(random: Random, target: Planned): string {
  if (random.chance(0.5))
    return `[${random.pick(["this", "the plan", "those notes"])}](${linkPathOf(target)})`;
  return `[[${target.path}]]`;
}

function blockOf(random: Random): string {
  const kind = random.next();
  if (kind < 0.1) return `## ${sentenceOf(random, 3)}`;
  if (kind < 0.25) return Array.from({ length: 4 }, () => `- ${sentenceOf(random, 6)}`).join("\n");
  if (kind < 0.3) return `\`\`\`js\nconst ${random.pick(["a", "b"])} = "[[no link]]";\n\`\`\``;
  return Array.from({ length: random.whole(1, 4) }, () => sentenceOf(random, random.whole(6, 18))).join(" ");
}
