/** @import { Scope } from "@clew/contract" */

/**
 * What each scope allows, in words for people.
 * @type {Record<Scope, string>}
 */
export const scopeWords = {
  "graph:search": "Find pages by their title",
  "graph:read": "Read details and content of pages",
  "graph:neighbors": "Walk to neighbouring pages and along paths",
};
