export { maxUrlLength, permanentUrl, type TextAddresses, withoutExpiringUrls } from "./addresses.ts";
export { maxTitleLength, namesOf, truncated } from "./names.ts";
export { inlineReferences, tagAt, type Unknown, unknownOf } from "./parse.ts";
export { ReferenceTally } from "./reference-tally.ts";
export { referencesIn } from "./references.ts";
export { withoutScriptLinks } from "./script-links.ts";
export { escaped, shownTitles, withTitles } from "./shown-titles.ts";
export {
  createTextParser,
  createTextReader,
  serveTextTasks,
  type TextLimits,
  type TextParser,
} from "./text-parser.ts";
export { textTasksFor } from "./text-tasks.ts";
