import { type Dialect, type TagRules, tagsInFrontMatter } from "../dialects/dialect.ts";
import type { Entry } from "./entry.ts";
import { isRecord } from "./front-matter.ts";
import { idOf } from "./ids.ts";
import { readingFile } from "./left-out.ts";

/** A tag of the pages of a folder. Times are milliseconds since the Unix epoch. */
export interface Tag {
  readonly kind: "tag";
  readonly id: string;
  /** As the first page has it that has it, in the order of the workspace: `Project/Clew` of `#Project/Clew`. */
  readonly name: string;
  readonly parent: Tag | null;
  /** When the oldest page was created that has it or one below it. Edits of pages are no edits of their tags. */
  readonly createdAt: number;
}

/** A tag of a page, and how often the page has it. */
export interface HeldTag {
  readonly tag: Tag;
  readonly count: number;
}

/** The tags of a folder, by the rules of its tool. Names that differ in capitals alone are one tag. */
export class FolderTags {
  readonly #tags = new Map<string, Tag & { createdAt: number }>();
  readonly #byId = new Map<string, Tag>();
  readonly #held = new Map<Entry, readonly HeldTag[]>();
  /** With it, the ids of two folders differ. */
  readonly #workspaceId: string;

  constructor(workspaceId: string, entries: readonly Entry[], dialect: Dialect) {
    this.#workspaceId = workspaceId;
    const { tags: rules = tagsInFrontMatter } = dialect;
    if (rules === null) return;
    for (const entry of entries) if (!entry.inTrash) this.#add(entry, rules);
  }

  /** All tags, parents before what is below them. */
  get all(): readonly Tag[] {
    return [...this.#tags.values()];
  }

  tag(id: string): Tag | null {
    return this.#byId.get(id) ?? null;
  }

  /** The tags of a page or database, in the order of their first occurrence. */
  of(entry: Entry): readonly HeldTag[] {
    return this.#held.get(entry) ?? [];
  }

  #add(entry: Entry, rules: TagRules): void {
    const counts = new Map<Tag, number>();
    for (const name of namesIn(entry, rules)) {
      const tag = this.#named(rules.isNested ? name.split("/").filter((part) => part !== "") : [name], entry);
      if (tag !== null) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    if (counts.size > 0)
      this.#held.set(
        entry,
        [...counts].map(([tag, count]) => ({ tag, count })),
      );
  }

  /** The tag of these parts, with those above it; null without parts. */
  #named(parts: readonly string[], { createdAt }: Entry): Tag | null {
    let tag: (Tag & { createdAt: number }) | null = null;
    for (const [index] of parts.entries()) {
      const name = parts.slice(0, index + 1).join("/");
      const key = name.toLowerCase();
      const parent: Tag | null = tag;
      tag = this.#tags.get(key) ?? { kind: "tag", id: this.#idOf(key), name, parent, createdAt };
      tag.createdAt = Math.min(tag.createdAt, createdAt);
      this.#tags.set(key, tag);
      this.#byId.set(tag.id, tag);
    }
    return tag;
  }

  #idOf(key: string): string {
    return idOf("tag", `${this.#workspaceId}\n${key}`);
  }
}

const known = new WeakMap<Entry, readonly string[]>();

/** The names of the tags of a page. An edit of other pages leaves it the same object, which has one tool and so one set of rules. */
function namesIn(entry: Entry, rules: TagRules): readonly string[] {
  const names = known.get(entry) ?? readingFile(entry.file, () => readNames(entry, rules));
  known.set(entry, names);
  return names;
}

/** Reads the names of the tags of a page: those of its front matter, then those of its text, each as often as it occurs. */
function readNames({ frontMatter, body, hidden }: Entry, rules: TagRules): readonly string[] {
  const { properties, separator, form, inText = () => [] } = rules;
  const written = Object.entries(frontMatter)
    .filter(([name]) => properties.includes(name.toLowerCase()))
    .flatMap(([, value]) => (typeof value === "string" ? value.split(separator) : [value].flat()));
  return [...written.map(nameOf), ...inText(body), ...inText(hidden)]
    .map((name) => name.normalize("NFC").replace(/\s+/g, " ").trim().replace(/^#/, ""))
    .filter((name) => name !== "" && (form === undefined || form.test(name)));
}

/** The name that an item of a list gives: a text, a number, or the label of an object, as in Docusaurus; empty for others. */
function nameOf(item: unknown): string {
  const name = isRecord(item) ? item.label : item;
  return typeof name === "string" || typeof name === "number" ? String(name) : "";
}

/** The tags that are new, gone, or shown otherwise than before. */
export function differingTags(before: FolderTags, now: FolderTags): Tag[] {
  const isSame = (a: Tag | null, b: Tag) =>
    a?.name === b.name && a.parent?.id === b.parent?.id && a.createdAt === b.createdAt;
  return [
    ...now.all.filter((tag) => !isSame(before.tag(tag.id), tag)),
    ...before.all.filter(({ id }) => now.tag(id) === null),
  ];
}
