export { anyLines, anyPage, prose, scripts } from "./arbitrary-markdown.ts";
export { assertLinear } from "./assert-linear.ts";
