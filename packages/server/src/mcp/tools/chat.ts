import { graphLimits, type ToolInput } from "@clew/contract";
import { ApiError } from "../../model/api-error.ts";
import { content } from "../../operations/nodes.ts";
import { placeOf } from "../../operations/page-names.ts";
import { search } from "../../operations/search.ts";
import { searchTexts } from "../../operations/texts.ts";
import { presentContent } from "../../present/graph.ts";
import { presentLink } from "../../present/values.ts";
import { type Coverage, coverageOf } from "../answer/coverage.ts";
import { withPipes } from "../answer/page-text.ts";
import { findPage } from "../pages.ts";
import type { ToolAnswer, ToolCall } from "../tool-call.ts";

/*
 * `search` and `fetch` in the form that ChatGPT expects: JSON in a text.
 * https://platform.openai.com/docs/mcp
 */

const results = 10;
const titlesFirst = 3;

/** `search`: ids, titles and addresses of the pages that match best. */
export async function searchForChat(call: ToolCall, { query }: ToolInput<"search">): Promise<ToolAnswer> {
  const [titles, texts] = await Promise.all([
    search(call.ctx, { q: query, limit: titlesFirst }),
    searchTexts(call.ctx, { q: query, limit: results }),
  ]);
  const pages = new Map([...titles.items, ...texts.items].map(({ node }) => [node.id, node]));
  const found = [...pages.values()].slice(0, results);
  const coverage = coverageOf(call);
  if (found.length === 0 && !coverage.isWhole) throw notFoundSoFar(coverage);
  return json(
    { results: found.map(({ id, title, url }) => ({ id, title, url: url ?? "" })) },
    found.map(({ id }) => id),
  );
}

/** Says that pages may be missing. The form has no place for this beside an empty list, which would say that there are none (AGT-2). */
function notFoundSoFar({ none }: Coverage): ApiError {
  const found = "No page that matches was found";
  return new ApiError("unavailable", none(`${found}.`, found), { headers: { "retry-after": "5" } });
}

/** `fetch`: a page with its text. */
export async function fetchPage(call: ToolCall, { id }: ToolInput<"fetch">): Promise<ToolAnswer> {
  const { node } = await findPage(call, id);
  const whole = { offset: 0, maxChars: graphLimits.content.standardChars };
  const { markdown, truncated } = presentContent(await content(call.ctx, { id: node.id }), whole);
  return json(
    {
      id: node.id,
      title: node.title,
      text: withPipes(markdown),
      url: presentLink(node.url) ?? "",
      metadata: {
        type: node.type,
        place: placeOf(call.graphs, node.id),
        ...(truncated && { truncated }),
      },
    },
    [node.id],
  );
}

const json = (message: object, pages: readonly string[]): ToolAnswer => ({
  text: JSON.stringify(message),
  pages,
  isJson: true,
});
