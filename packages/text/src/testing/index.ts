export { anyLines, anyPage, prose, scripts } from "./arbitrary-markdown.ts";
export { assertLinear } from "./assert-linear.ts";
export { anyListedPage, type ListedPage, type TrueLine } from "./listed-page.ts";
