import type { Node, SearchResults } from "@clew/contract";
import { createToken, waitForSync } from "../../scripts/tour/session.ts";
import type { SignedIn } from "../../scripts/tour/sign-in.ts";
import type { Route } from "./load.ts";

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

/** What is searched for while somebody types these. */
const typed = words.flatMap((word) => [...word].map((_, index) => word.slice(0, index + 1).trim()));

const to = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/**
 * The V1 routes to measure, each with many different questions about the workspace that `session` synced; and those
 * those whose answers Clew keeps also with so many, more than 10 000, that it has forgotten each before it is asked again.
 */
export async function readTargets(clew: URL, session: SignedIn): Promise<Route[]> {
  await waitForSync(clew, session);
  const { token } = await createToken(clew, session, "bench");
  const at = (path: string) => new URL(`api/v1/${path}`, clew).href;
  const response = await fetch(at("search/?q=a&limit=100"), {
    headers: { authorization: `Bearer ${token}` },
  });
  const { items }: SearchResults = JSON.parse(await response.text());
  const nodes: Node[] = items.map(({ node }) => node);
  const ids = nodes.map(({ id }) => id);
  return [
    { name: "search", urls: words.map((word) => at(`search/?q=${encodeURIComponent(word)}`)), token },
    { name: "node", urls: ids.map((id) => at(`nodes/${id}/`)), token },
    { name: "neighbors", urls: ids.map((id) => at(`nodes/${id}/neighbors/`)), token },
    {
      name: "path",
      urls: ids.map((id, i) => at(`paths/?from=${id}&to=${ids[(i * 7 + 3) % ids.length]}`)),
      token,
    },
    {
      name: "search, anew",
      urls: to(100).flatMap((limit) =>
        typed.flatMap((word) =>
          ["", "&type=page", "&type=database"].map((type) =>
            at(`search/?q=${encodeURIComponent(word)}&limit=${limit}${type}`),
          ),
        ),
      ),
      token,
    },
    {
      name: "neighbors, anew",
      urls: to(200).flatMap((limit) => ids.map((id) => at(`nodes/${id}/neighbors/?limit=${limit}`))),
      token,
    },
    {
      name: "path, anew",
      urls: [5, 6].flatMap((depth) =>
        ids.flatMap((from) => ids.map((other) => at(`paths/?from=${from}&to=${other}&max_depth=${depth}`))),
      ),
      token,
    },
  ];
}
