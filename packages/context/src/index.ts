export { findCandidates } from "./candidates.ts";
export {
  type BuiltContext,
  type ContextForm,
  type ContextQuestion,
  type GatheredContext,
  gatherContext,
} from "./context.ts";
export type { Explanation } from "./explanation.ts";
export type { ContextPort } from "./port.ts";
export { questionWords } from "./question.ts";
