import { createClient } from "@clew/client";
import { createToken, type SignedIn, waitForSync } from "../../test/support/session.ts";
import type { Row } from "./load.ts";

const words = [
  "star",
  "moon",
  "or",
  "nebula",
  "e",
  "jup",
  "glossary",
  "олярная",
  "星",
  "andromda",
  "light year",
  "no such title",
];

/** The queries that search-as-you-type sends for these words. */
const typed = words.flatMap((word) => [...word].map((_, index) => word.slice(0, index + 1).trim()));

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/**
 * Questions about the sample workspace that `session` synced: for each operation a row of repeated questions, and one of
 * more than 10 000 different questions. They differ in parameters such as `limit`, because the workspace has few pages. A
 * node's route has no parameters, so its questions always repeat.
 */
export async function sampleRows(clew: URL, session: SignedIn): Promise<Row[]> {
  await waitForSync(clew, session);
  const { token } = await createToken(clew, session, "bench");
  const at = (path: string) => new URL(`api/v1/${path}`, clew).href;
  const client = createClient({ url: clew, token });
  const { items } = await client.searchPages({ q: "a", limit: 100 });
  const ids = items.map(({ node }) => node.id);
  const search = (word: string, more = "") => at(`search/?q=${encodeURIComponent(word)}${more}`);
  const path = (from: string, to = from, depth = 6) => at(`paths/?from=${from}&to=${to}&max_depth=${depth}`);
  return [
    { operation: "search", asked: "repeated", urls: words.map((word) => search(word)), token },
    {
      operation: "search",
      asked: "new",
      urls: upTo(100).flatMap((limit) =>
        typed.flatMap((word) =>
          ["", "&type=page", "&type=database"].map((type) => search(word, `&limit=${limit}${type}`)),
        ),
      ),
      token,
    },
    { operation: "node", asked: "repeated", urls: ids.map((id) => at(`nodes/${id}/`)), token },
    {
      operation: "neighbors",
      asked: "repeated",
      urls: ids.map((id) => at(`nodes/${id}/neighbors/`)),
      token,
    },
    {
      operation: "neighbors",
      asked: "new",
      urls: upTo(200).flatMap((limit) => ids.map((id) => at(`nodes/${id}/neighbors/?limit=${limit}`))),
      token,
    },
    {
      operation: "paths",
      asked: "repeated",
      urls: ids.map((id, index) => path(id, ids[(index * 7 + 3) % ids.length])),
      token,
    },
    {
      operation: "paths",
      asked: "new",
      urls: [5, 6].flatMap((depth) => ids.flatMap((from) => ids.map((to) => path(from, to, depth)))),
      token,
    },
  ];
}
