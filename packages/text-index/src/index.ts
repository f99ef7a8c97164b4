export { maxQueryWords, parseQuery } from "./text/query.ts";
export type {
  PageProperty,
  PageSource,
  PageTokens,
  QueryWord,
  SectionTokens,
  TextHit,
  TextQuery,
  TextSection,
} from "./text/types.ts";
