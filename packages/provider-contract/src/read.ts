import assert from "node:assert/strict";
import type { ListEntry, ListedNode, SearchEntry, WorkspaceReader } from "@clew/provider";
import type { Behavior, ProviderUnderTest } from "./provider-under-test.ts";

const isNode = (entry: ListEntry | SearchEntry): entry is ListedNode =>
  entry.type === "page" || entry.type === "database" || entry.type === "tag";

/** All entries of a list. */
export async function entriesOf<Entry>(list: AsyncIterable<Entry>): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of list) entries.push(entry);
  return entries;
}

/** The nodes of a list, as often as it has them. */
export async function nodesOf(list: AsyncIterable<SearchEntry>): Promise<ListedNode[]> {
  return (await entriesOf(list)).filter(isNode);
}

/** A reader for the person of a provider under test. */
export const readerOf = ({ provider, accessToken }: ProviderUnderTest): WorkspaceReader =>
  provider.reader(accessToken);

/** The node that the search lists under this title. */
export async function nodeTitled(reader: WorkspaceReader, title: string): Promise<ListedNode> {
  const found = (await nodesOf(reader.search())).find((node) => node.title === title);
  assert.ok(found, `the search does not list ${title}`);
  return found;
}

/** The reason why a service cannot behave like this; null if it can. */
export function whyNever({ never = {} }: ProviderUnderTest, behavior: Behavior): string | null {
  return behavior === "well" || behavior === "down" ? null : (never[behavior] ?? null);
}
