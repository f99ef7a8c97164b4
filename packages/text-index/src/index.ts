export { countShare, halfCountOf } from "./search/bm25.ts";
export { type IndexView, viewOf } from "./search/index-view.ts";
export {
  type FoundPage,
  type FoundSection,
  type SearchOptions,
  type SearchResult,
  searchTexts,
} from "./search/search.ts";
export { compareResults, type ResultKey } from "./search/top-pages.ts";
export type {
  Block,
  BlockKey,
  BlockRange,
  BlockStore,
  FoundBlock,
  PartRange,
  RowKey,
  TermLookup,
} from "./segments/block-store.ts";
export { SegmentBuilder, type SegmentOutput } from "./segments/build.ts";
export { IndexDamagedError } from "./segments/bytes.ts";
export { dead, findLivePages, type LivePages } from "./segments/live-pages.ts";
export { type MergeOutput, mergeSegments, type StoredSegment } from "./segments/merge.ts";
export { planMerge, type SegmentSize } from "./segments/plan-merge.ts";
export { decodePages, type SegmentPages, segmentBytes } from "./segments/segment-pages.ts";
export { areFamily } from "./text/family.ts";
export { pageTokens } from "./text/page.ts";
export { maxQueryWords, parseQuery } from "./text/query.ts";
export { hitsOf } from "./text/snippets.ts";
export type { TermMaker } from "./text/terms.ts";
export { forEachToken, termsOf } from "./text/tokens.ts";
export type {
  PageProperty,
  PageSource,
  PageTokens,
  QueryWord,
  SectionTokens,
  TextHit,
  TextQuery,
} from "./text/types.ts";
