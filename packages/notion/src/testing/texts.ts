import type { NodeId } from "@clew/graph";
import { textTasks } from "../text-tasks.ts";
import { notionDialect } from "../urls.ts";

/** The references in a text of Notion's. */
export const referencesIn = (markdown: string, dialect = notionDialect) =>
  textTasks.references(markdown, dialect);

/** The titles that a text of Notion's shows. */
export const shownTitles = (markdown: string) => textTasks.shownTitles(markdown, notionDialect);

/** A text of Notion's with other titles. */
export const withTitles = (markdown: string, titles: ReadonlyMap<NodeId, string>) =>
  textTasks.retitled({ markdown, titles }, notionDialect).markdown;
