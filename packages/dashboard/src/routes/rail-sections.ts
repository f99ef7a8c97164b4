import { paths } from "../paths.ts";
import { ActivityIcon, AskIcon, MapIcon, PathIcon, TokensIcon, WorkspacesIcon } from "../ui/icons.tsx";
import { shellWords } from "../words.ts";

/* The sections of the dashboard, as the rail of the application and that of the API reference list them. */

/** Views of the graph, below its section, with a shorter name where the window is narrow. */
export const partsOfGraph = [
  { to: paths.ask, label: shellWords.ask, short: undefined, isNarrow: false, Icon: AskIcon },
  { to: paths.map, label: shellWords.map, short: undefined, isNarrow: true, Icon: MapIcon },
  { to: paths.path, label: shellWords.findPath, short: shellWords.paths, isNarrow: true, Icon: PathIcon },
] as const;

/** The last has no room at the foot of a narrow window; it is in the account's menu there. */
export const otherSections = [
  { to: paths.workspaces, label: shellWords.workspaces, isNarrow: true, Icon: WorkspacesIcon },
  { to: paths.tokens, label: shellWords.tokens, isNarrow: true, Icon: TokensIcon },
  { to: paths.activity, label: shellWords.activity, isNarrow: false, Icon: ActivityIcon },
] as const;
