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

const to = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/**
 * The V1 routes to measure, each with many different questions about the workspace that `session` synced; and those
 * whose answers Clew keeps with so many that it has forgotten each before it is asked again.
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
        words.flatMap((word) =>
          ["", "&type=page", "&type=database"].map((type) =>
            at(`search/?q=${encodeURIComponent(word)}&limit=${limit}${type}`),
          ),
        ),
      ),
      token,
    },
    {
      name: "neighbors, anew",
      urls: to(100).flatMap((limit) => ids.map((id) => at(`nodes/${id}/neighbors/?limit=${limit + 50}`))),
      token,
    },
    {
      name: "path, anew",
      urls: ids.flatMap((from) => ids.map((other) => at(`paths/?from=${from}&to=${other}`))),
      token,
    },
  ];
}
