export { findCandidates } from "./candidates.ts";
export { type BuiltContext, buildContext, type ContextRequest } from "./context.ts";
export type { Explanation } from "./explanation.ts";
export type { ContextPort } from "./port.ts";
export { questionWords } from "./question.ts";
