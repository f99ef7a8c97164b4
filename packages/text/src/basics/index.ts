export { CodePoints, countCodePoints, isWithinPair, unitAfter, widthAt } from "./code-points.ts";
export { firstIndex, lastAtMost } from "./first-index.ts";
export { fold, foldByUnit } from "./fold.ts";
export { oneLine } from "./one-line.ts";
export { uuidOf } from "./uuid-of.ts";
