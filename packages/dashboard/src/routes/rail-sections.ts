import { paths } from "../paths.ts";
import { ActivityIcon, MapIcon, PathIcon, TokensIcon, WorkspacesIcon } from "../ui/icons.tsx";
import { shellWords } from "../words.ts";

/* The sections of the dashboard, as the rail of the application and that of the API reference list them. */

/** Views of the graph, below its section. A narrow window has no room for them; the graph's own view leads there. */
export const partsOfGraph = [
  { to: paths.path, label: shellWords.findPath, Icon: PathIcon },
  { to: paths.map, label: shellWords.map, Icon: MapIcon },
] as const;

export const otherSections = [
  { to: paths.workspaces, label: shellWords.workspaces, Icon: WorkspacesIcon },
  { to: paths.tokens, label: shellWords.tokens, Icon: TokensIcon },
  { to: paths.activity, label: shellWords.activity, Icon: ActivityIcon },
] as const;
