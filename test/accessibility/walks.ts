import type { Walk } from "./looks.ts";
import { walkConnect } from "./walks/connect.ts";
import { walkGraph } from "./walks/graph.ts";
import { walkMap } from "./walks/map.ts";
import { walkSignIn } from "./walks/sign-in.ts";
import { walkTokens } from "./walks/tokens.ts";
import { walkWorkspaces } from "./walks/workspaces.ts";

/** Together they reach every page, dialog and state. `least` says how many states there are at least. */
export const walks: readonly { readonly name: string; readonly least: number; readonly walk: Walk }[] = [
  { name: "signing in and out", least: 12, walk: walkSignIn },
  { name: "workspaces", least: 10, walk: walkWorkspaces },
  { name: "tokens and activity", least: 18, walk: walkTokens },
  { name: "connected apps", least: 14, walk: walkConnect },
  { name: "graph", least: 28, walk: walkGraph },
  { name: "map", least: 7, walk: walkMap },
];
