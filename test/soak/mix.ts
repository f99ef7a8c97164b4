import type { Client } from "@clew/client";
import { pick, type Random } from "@clew/stand-in/testing/random";
import { titleWord } from "../support/markdown-folder.ts";
import type { Question } from "./load.ts";

/** How often each kind of question is asked, in a hundred. */
const shares = { search: 30, page: 22, content: 15, neighbors: 12, paths: 8, text: 5, context: 3, tool: 5 };

type Kind = keyof typeof shares;

const kinds = Object.entries(shares).flatMap(([kind, share]) =>
  Array.from({ length: share }, () => kind as Kind),
);

/** Returns what draws questions about the pages that a client sees. */
export async function questionsAbout(client: Client, random: Random): Promise<() => Question> {
  const { items } = await client.searchPages({ q: titleWord, limit: 50 });
  const ids = items.map(({ node }) => node.id);
  if (ids.length === 0) throw new Error("the workspace has no pages to ask about");
  const page = () => encodeURIComponent(pick(random, ids));
  const word = () => pick(random, ["reference", "page", "refer", "section", "row", "nothing"]);
  const questions: Readonly<Record<Kind, () => Question>> = {
    search: () => ({ path: `/api/v1/search/?q=${word()}&limit=10` }),
    page: () => ({ path: `/api/v1/nodes/${page()}/` }),
    content: () => ({ path: `/api/v1/nodes/${page()}/content/` }),
    neighbors: () => ({ path: `/api/v1/nodes/${page()}/neighbors/?depth=2` }),
    paths: () => ({ path: `/api/v1/paths/?from=${page()}&to=${page()}` }),
    text: () => ({ path: `/api/v1/text/?q=${word()}&limit=10` }),
    context: () => ({ path: `/api/v1/context/?q=${word()}&max_chars=2000` }),
    tool: () => ({
      path: "/api/v1/mcp",
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "search_pages", arguments: { query: word(), in: "titles" } },
      }),
    }),
  };
  return () => questions[pick(random, kinds)]();
}
