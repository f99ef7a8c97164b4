import type { ProblemCode, Scope, SignInErrorCode } from "@clew/contract";

/** Every text of the dashboard. One thing has one word: docs/glossary.md, "What people see". */

export const count = (number: number, noun: string, plural = `${noun}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;

export const brand = "Clew";

export const signInWords = {
  title: "Sign in",
  heading: "Follow every link between your pages",
  what: "Clew reads the pages that you share with it and the links between them. Let agents and scripts search and read them. Revoke access any time.",
  demo: "Try the demo workspace",
  signIn: (provider: string) => `Sign in with ${provider}`,
  notConnected: "Notion isn’t connected yet. You can try Clew with sample pages.",
  howTo: "How to connect Notion",
  howToSteps: [
    "In Notion’s developer portal, create a personal access token, or a connection with its client id and secret.",
    "Set NOTION_TOKEN, or NOTION_CLIENT_ID and NOTION_CLIENT_SECRET, and start Clew again.",
    "Every step is in docs/operations.md of your installation.",
  ],
  tryAgain: "Try again",
  signedOut: "You are signed out.",
  over: "You’ve been signed out. Sign in again to continue.",
  deleted: "Your account is deleted, with everything that Clew had read.",
};

/** Why a sign-in failed. The page never repeats text from the address. */
export const signInFailures: Readonly<Record<SignInErrorCode | "foreign_sign_in", string>> = {
  access_denied: "You cancelled, so nothing was shared.",
  invalid_state: "This sign-in link has expired. Please try again.",
  exchange_failed:
    "Notion did not accept the sign-in. Please try again; if it fails again, the client id, secret or redirect URI of this Clew is wrong.",
  provider_unavailable: "Notion did not answer, or sent an unexpected reply. Please try again.",
  unsupported_owner: "Notion connected a whole workspace instead of a person. Sign in as a person.",
  not_allowed: "This account or workspace may not sign in here. Ask the operator of this Clew.",
  rate_limited: "Too many sign-ins from here. Wait a minute, then try again.",
  unavailable: "Clew can’t sign anyone in right now. Try again in a minute.",
  foreign_sign_in: "The link carries a sign-in from another browser, so it was not used.",
};

export const signInFailed = (code: string): string => {
  const known = Object.entries(signInFailures).find(([name]) => name === code)?.[1];
  if (code === "access_denied") return signInFailures.access_denied;
  return `The sign-in didn’t work. ${known ?? "The reason is not known."}`;
};

/** A signed-in person came back from the provider without connecting anything. */
export const connectFailed = (code: string): string =>
  code === "access_denied"
    ? "You cancelled, so nothing changed. You are still signed in."
    : `Nothing was connected. ${signInFailed(code).replace(/^The sign-in didn’t work\. /, "")}`;

export const failureWords = {
  unreachable: "Clew can’t be reached. Check that it is running and you’re online.",
  unexpected: (status: number) => `Clew sent an unexpected reply (${status}).`,
  own: "Something went wrong on this page.",
  tryAgain: "Try again",
};

/** What a refusal means to a person, where Clew's own text is not enough. */
export const refusals: Partial<Readonly<Record<ProblemCode, string>>> = {
  rate_limited: "Too many requests. Wait a moment.",
  unavailable: "Clew is not ready. Trying again…",
};

export const outageWords = {
  notice: "Clew can’t be reached. What you see may be old. Trying again…",
  over: "Clew can be reached again.",
};

export const shellWords = {
  skip: "Skip to the content",
  sections: "Sections",
  graph: "Graph",
  map: "Map",
  workspaces: "Workspaces",
  tokens: "Tokens",
  activity: "Activity",
  search: "Search pages",
  searchHint: "Search pages",
  account: "Account",
  yourAccount: "Your account",
  signOut: "Sign out",
  shortcuts: "Keyboard shortcuts",
  reference: "API reference",
  opening: "Opening…",
  close: "Close",
  stillSignedIn: "You are still signed in.",
  notFound: "There is no page here",
  notFoundWhy: "The address may be mistyped, or what it led to is gone.",
  openGraph: "Open the dashboard",
  failed: "This page couldn’t be shown",
};

/** The keyboard shortcuts, as the help lists them. */
export const shortcutWords = {
  search: "Search",
  graph: "Go to Graph",
  workspaces: "Go to Workspaces",
  tokens: "Go to Tokens",
  activity: "Go to Activity",
  help: "Show this list",
  close: "Close a dialog or menu",
};

export const copyWords = {
  copy: "Copy",
  copied: "Copied",
  selected: "Selected",
  announce: (what: string) => `Copied: ${what}.`,
  refused: "This browser does not let pages copy. The text is selected for you to copy.",
  call: "Copy as…",
  curl: "curl",
  mcp: "MCP call",
  callHint: "What an agent sends to see the same. It needs a token in $CLEW_TOKEN.",
};

export const scopeWords: Readonly<Record<Scope, string>> = {
  "graph:search": "Find pages by title",
  "graph:read": "Read the details and text of pages",
  "graph:neighbors": "Follow links and find paths between pages",
};

export const timeWords = { justNow: "just now", soon: "in a moment" };

export const workspaceWords = {
  title: "Workspaces",
  nameless: "Workspace without a name",
  none: "No workspace connected yet.",
  noneWhat: "Connect one, and choose the pages that Clew may read.",
  connect: "Connect a workspace",
  connectAnother: "Share more pages or connect another workspace",
  size: (nodes: number, edges: number) => `${count(nodes, "page")}, ${count(edges, "link")}`,
};

export const confirmWords = {
  keep: "Cancel",
  type: (text: string) => `Type “${text}” to confirm`,
};
