import { apiError, type Call, changed, type Intercept, type Json, type Workspace } from "./workspace.ts";

export const isText = ({ path }: Call) => path.endsWith("/markdown");
export const isSearch = ({ path }: Call) => path === "/v1/search";

/** The pages whose texts were asked for. */
export const textsAsked = ({ calls }: Workspace) =>
  calls.filter(isText).map(({ path }) => path.split("/")[3]);

/** Answers the text of one page in another way. */
export const textOf =
  (id: string, answer: (pass: () => Promise<Response>) => Promise<Response>): Intercept =>
  (call, pass) =>
    isText(call) && call.path.includes(id) ? answer(pass) : pass();

/** Changes what search lists. */
export const listed =
  (change: (results: Json[]) => Json[]): Intercept =>
  async (call, pass) =>
    isSearch(call) ? changed(await pass(), (list) => ({ ...list, results: change(list.results) })) : pass();

/** Leaves pages out of what search lists. */
export const without = (...titles: string[]): Intercept =>
  listed((results) => results.filter((page) => !titles.includes(titleOf(page))));

/** Answers as if pages were not shared: search leaves them out, and no look-up finds them. */
export const unshared = (...titles: string[]): Intercept => {
  const leaveOut = without(...titles);
  return async (call, pass) => {
    if (call.method !== "GET" || isText(call)) return leaveOut(call, pass);
    const answer = await pass();
    return titles.includes(titleOf(await answer.clone().json())) ? apiError(404, "object_not_found") : answer;
  };
};

/** The title of a page as search lists it; empty for a data source. */
export const titleOf = ({ properties }: Json): string =>
  (properties?.title ?? properties?.Name)?.title?.[0]?.plain_text ?? "";

/** A page that was last edited then: by itself long before it is read. */
export const dated = (text: string, updated = "2026-01-01T00:00:00Z", more = "") =>
  `---\ncreated: 2025-01-01T00:00:00Z\nupdated: ${updated}\n${more}---\n${text}`;
