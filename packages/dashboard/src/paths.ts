/** The path of each view below the dashboard's URL; `$name` stands for one segment. The server knows no others. */
export const paths = {
  home: "/",
  graph: "/graph",
  page: "/graph/$pageId",
  path: "/graph/path",
  ask: "/graph/ask",
  map: "/map",
  workspaces: "/workspaces",
  tokens: "/tokens",
  newToken: "/tokens/new",
  token: "/tokens/$tokenId",
  activity: "/activity",
  account: "/account",
  connect: "/connect",
} as const;

/** The id of the search field above every view. */
export const searchFieldId = "search";
