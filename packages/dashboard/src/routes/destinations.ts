import { paths } from "../paths.ts";
import { shellWords } from "../words.ts";

/** The views that the keyboard leads to from everywhere: by the key that follows `g`, and from the palette. */
export const destinations = [
  { to: paths.graph, key: "g", name: shellWords.graph },
  { to: paths.ask, key: "q", name: shellWords.ask },
  { to: paths.path, key: "p", name: shellWords.findPath },
  { to: paths.map, key: "m", name: shellWords.map },
  { to: paths.workspaces, key: "w", name: shellWords.workspaces },
  { to: paths.tokens, key: "t", name: shellWords.tokens },
  { to: paths.activity, key: "a", name: shellWords.activity },
] as const;
