import type { NodeId } from "@clew/graph";
import type { PageContent, ShownTitle } from "@clew/provider";
import { titlesOf } from "../../store/queries/shown-titles.ts";
import type { StateToRead, StoreToRead, TextsToRead } from "../context.ts";

/** A text that was just read, with the titles that the graph has: the provider may show later ones. */
export async function withKnownTitles(
  content: PageContent,
  context: StoreToRead & StateToRead & TextsToRead,
): Promise<PageContent> {
  const outdated = await titlesToReplace(content.titles, context);
  if (outdated.size === 0) return content;
  return { ...content, ...(await context.reader.texts.withTitles(content.markdown, outdated)) };
}

/** The titles, in the graph, of what a text shows under another title; by the ids that the text has. */
export async function titlesToReplace(
  shown: readonly ShownTitle[],
  { connectionId, database, state }: StoreToRead & StateToRead,
): Promise<Map<string, string>> {
  if (shown.length === 0) return new Map();
  // A collection that is alone in its database has the title of that.
  const nodeOf = (id: string): NodeId => {
    const databaseId = state.databaseOf(id);
    return databaseId !== undefined && state.collectionsOf(databaseId).length === 1 ? databaseId : id;
  };
  const ids = new Set(shown.map(({ id }) => nodeOf(id)));
  const titles = await titlesOf(database.read, connectionId, [...ids]);
  return new Map(
    shown.flatMap(({ id, title }) => {
      const known = titles.get(nodeOf(id));
      return known === undefined || known === title ? [] : [[id, known] as const];
    }),
  );
}
