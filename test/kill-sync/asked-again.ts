import type { RecordedRequest } from "@clew/stand-in/testing";

/** How many questions for texts were asked before, of the same page or part of one. */
export function textsAskedAgain(requests: readonly RecordedRequest[]): number {
  const ids = requests.filter(({ route }) => route === "/v1/pages/:page_id/markdown").map(({ id }) => id);
  return ids.length - new Set(ids).size;
}
