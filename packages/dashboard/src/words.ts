import type { ProblemCode, Scope, SignInErrorCode } from "@clew/contract";
import type { LinkKind } from "./api/link-kinds.ts";

/** The texts that several parts of the dashboard show; those of one view are beside it. One thing has one word: docs/glossary.md, "What people see". */

/** A number with its noun. */
export const count = (number: number, noun: string, plural = `${noun}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;

export const brand = "Clew";

export const signInWords = {
  title: "Sign in",
  heading: "Follow every link between your pages",
  what: "Clew reads the pages that you share with it and the links between them. Let agents and scripts search and read them. Revoke access any time.",
  demo: "Try the demo workspace",
  open: (folder: string) => `Open ${folder}`,
  folders: (names: readonly string[]) => {
    const are = names.length === 1 ? "is a folder" : "are folders";
    return `${new Intl.ListFormat("en").format(names)} ${are} of Markdown on the machine that Clew runs on.`;
  },
  code: "Opening a folder asks for the one-time code that Clew printed where it was started.",
  signIn: (provider: string) => `Sign in with ${provider}`,
  notConnected: (provider: string) => `${provider} isn’t connected yet. You can try Clew with sample pages.`,
  howTo: (provider: string) => `How to connect ${provider}`,
  howToMore: "Every step is in the documentation",
  tryAgain: "Try again",
  signedOut: "You are signed out.",
  over: "You’ve been signed out. Sign in again to continue.",
  deleted: "Your account is deleted, with everything that Clew had read.",
};

export const sourceWords = {
  kinds: { service: "service", folder: "folder", demo: "sample" },
  folder: "Folder",
  notAdded: (name: string, reason: string) => `Couldn’t begin to connect ${name}. ${reason}`,
  added: "Connected. Its pages appear here as they are read.",
};

/** The reasons for which a sign-in fails. The page never repeats text from the address. */
const signInFailures: Readonly<Record<SignInErrorCode | "foreign_sign_in", string>> = {
  access_denied: "You cancelled, so nothing was shared.",
  invalid_state: "This sign-in link has expired. Please try again.",
  exchange_failed:
    "The provider did not accept the sign-in. Please try again; if it fails again, the client id, secret or redirect URI of this Clew is wrong.",
  provider_unavailable: "The provider did not answer, or sent an unexpected reply. Please try again.",
  unsupported_owner: "The provider connected a whole workspace instead of a person. Sign in as a person.",
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

/** The meaning of a refusal to a person, if Clew's own text is not enough. */
export const refusals: Partial<Readonly<Record<ProblemCode, string>>> = {
  rate_limited: "Too many requests. Wait a moment.",
  unavailable: "Clew is not ready. Trying again…",
};

export const outageWords = {
  notice: "Clew can’t be reached. What you see may be old. Trying again…",
  over: "Clew can be reached again.",
  waiting: "Waiting for Clew",
  opensLater: "This view opens as soon as Clew can be reached",
  othersWork: "What you have already opened is still there.",
};

export const shellWords = {
  skip: "Skip to the content",
  sections: "Sections",
  graph: "Graph",
  findPath: "Find a path",
  ask: "Ask",
  paths: "Paths",
  map: "Map",
  commands: "Commands",
  workspaces: "Workspaces",
  tokens: "Tokens",
  activity: "Activity",
  search: "Search pages",
  searchHint: "Search pages",
  account: "Account",
  yourAccount: "Your account",
  signOut: "Sign out",
  shortcuts: "Keyboard shortcuts",
  documentation: "Documentation",
  reference: "API reference",
  opening: "Opening…",
  close: "Close",
  stillSignedIn: "You are still signed in.",
  notFound: "There is no page here",
  notFoundWhy: "The address may be mistyped, or what it led to is gone.",
  openGraph: "Open the dashboard",
  failed: "This page couldn’t be shown",
};

export const appearanceWords = {
  title: "Appearance",
  choices: { system: "System", light: "Light", dark: "Dark" },
};

/** The keyboard shortcuts, as the help lists them. */
export const shortcutWords = {
  palette: "Pages and commands",
  search: "Search",
  goTo: (view: string) => `Go to ${view}`,
  help: "Show this list",
  close: "Close a dialog or menu",
  singleKeys: "Shortcuts of single keys, such as / and g t",
};

/** The lists that appear while a person types. */
export const typingWords = {
  recent: "Opened lately",
  matches: "Matching pages",
  all: (words: string) => `All results for “${words}”`,
  noTitle: "No title matches.",
  found: (number: number) => `${count(number, "title")} found`,
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
  part: (form: string, part: string) => `${form}: ${part}`,
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
  none: "No workspace connected yet",
  noneWhat: "Connect one, and choose the pages that Clew may read. It can’t change anything.",
  connect: "Connect a workspace",
  connectAnother: "Share more pages or connect another",
  size: (nodes: number, edges: number) => `${count(nodes, "page")}, ${count(edges, "link")}`,
  explore: "Open the graph",
  tags: "Tags in the graph",
  tagsWhat: "Each tag is a node that its pages mention.",
  synced: "Synced",
  syncedAt: "Synced",
  editsAsOf: "Edits as of",
  neverSynced: "Not synced yet",
  syncing: "Syncing",
  waiting: "Waiting",
  incomplete: "Not complete",
  failed: "Sync failed",
  withdrawn: "Needs reconnecting",
  nothingShared: "Nothing shared",
  phases: { titles: "Finding pages", content: "Reading pages" },
  starting: "About to start",
  progress: (done: number, total: number | null) =>
    `${done.toLocaleString("en")}${total === null ? "" : ` of ${total.toLocaleString("en")}`}`,
  pace: (perMinute: number, minutes: number) =>
    `${count(perMinute, "page")} a minute, ${minutes < 1 ? "less than a minute" : `about ${count(Math.ceil(minutes), "minute")}`} left`,
  limit: (until: string) => `Waiting for the provider’s limit until ${until}`,
  noPages: "You shared no pages, so there is nothing to search.",
  choosePages: "Choose pages to share",
  withdrawnWhat:
    "The provider has withdrawn Clew’s access. What was read stays readable for some days, then it is deleted.",
  reconnect: "Reconnect",
  lastFailed: (reason: string) => `The last sync failed: ${reason}`,
  unknownReason: "the log of Clew says why.",
  stoppedAt: (when: string) => when,
  syncNow: "Sync now",
  notStarted: (reason: string) => `Couldn’t start the sync. ${reason}`,
  disconnect: "Disconnect…",
  disconnectTitle: (name: string) => `Disconnect “${name}”?`,
  disconnectAction: "Disconnect",
  disconnectLoss: (pages: number) =>
    `Clew deletes what it has read of ${count(pages, "page")} and ends its access. Tokens no longer read this workspace; tokens that read nothing else are revoked. This can’t be undone.`,
  disconnectKept:
    "Your pages at the provider stay as they are. If Clew uses a token that its operator set, that token stays valid until it is revoked at the provider.",
  disconnected: (name: string) => `${name} is disconnected.`,
  isSynced: (name: string) => `${name} is synced.`,
  isNotSynced: (name: string) => `${name} could not be synced.`,
};

export const confirmWords = {
  keep: "Cancel",
  type: (text: string) => `Type “${text}” to confirm`,
};

export const activityWords = {
  title: "Activity",
  sessions: "Where you are signed in",
  thisBrowser: "This browser",
  unknownAgent: "Unknown browser",
  signedIn: "Signed in",
  lastActive: "last active",
  fromAddress: (address: string) => `from ${address}`,
  alsoUsed: "Also used",
  end: "Sign out",
  endThere: (agent: string) => `Sign out ${agent}`,
  endOthers: "Sign out everywhere else",
  endOthersTitle: "Sign out everywhere else?",
  endOthersWhat: "You stay signed in here. Everywhere else you have to sign in again.",
  ended: "That session is over.",
  othersEnded: "You are signed out everywhere else.",
  onlyHere: "You are signed in only here.",
  trail: "What happened",
  filter: "Show",
  filters: { all: "Everything", sessions: "Sign-ins", tokens: "Tokens", refused: "Refused uses" },
  when: "When",
  what: "What",
  from: "From",
  nothing: "Nothing yet",
  nothingWhat: "Sign-ins, and what happens with your tokens, appear here.",
  nothingOfKind: "Nothing of this kind in what is loaded.",
  more: "Show more",
  events: {
    signed_in: "Signed in",
    signed_out: "Signed out",
    session_refreshed: "Session used from a new place",
    token_created: "Token created",
    token_rotated: "Token rotated",
    token_revoked: "Token revoked",
    token_refused: "Token refused",
    workspace_connected: "Workspace connected",
    workspace_disconnected: "Workspace disconnected",
  },
  reasons: {
    token_expired: "it had expired",
    token_revoked: "it was revoked",
    insufficient_scope: "it lacks the scope",
    workspace_not_allowed: "it may not read that workspace",
    rate_limited: "too many requests",
    wrong_token_type: "tokens can’t be used there",
    workspace_disconnected: "its last workspace was disconnected",
    ended_elsewhere: "from another session",
    operator: "by the operator of this Clew",
    app_connected: "an app was connected",
    app_disconnected: "by the app itself",
    code_reused: "the code that gave it was used twice",
    unused: "it was not used for 30 days",
  } as Readonly<Record<string, string>>,
};

export const newTokenWords = {
  title: "Create a token",
  fromLink: "A link filled in this form. Check what it allows before you create the token.",
  name: "Name",
  nameHint: "What will use it, for example: reading agent",
  purpose: "What is it for?",
  purposes: {
    agent: ["An agent", "Claude, Cursor and other programs that call tools"],
    script: ["A script", "A program of yours, on your machine or a server"],
    ci: ["CI", "A pipeline that runs without you"],
  } as const,
  canRead: "Can read",
  canDo: "Can do",
  suggest: {
    agent: "Tick what agents need",
    script: "Tick what scripts need",
    ci: "Tick what pipelines need",
  },
  expires: "Expires",
  expiries: { 7: "In 7 days", 30: "In 30 days", 90: "In 90 days", 365: "In a year" } as Readonly<
    Record<number, string>
  >,
  onDate: "On a date…",
  never: "Never",
  date: "Date",
  until: (date: string) => `Works until ${date}.`,
  neverWarning:
    "A token that never expires works until somebody revokes it. Should it leak, nothing else ends it.",
  faults: {
    name: "Give it a name.",
    workspaces: "Choose at least one workspace.",
    scopes: "Choose at least one.",
    days: "Choose a date from tomorrow on, within ten years.",
  },
  review: "Review",
  back: "Back",
  reviewTitle: "Is this right?",
  sentence: (name: string, can: string, where: string, until: string) =>
    `“${name}” can ${can} in ${where}, ${until}.`,
  untilDate: (date: string) => `until ${date}`,
  untilRevoked: "until you revoke it",
  change: "It can’t change anything.",
  tools: "Tools that it can call",
  create: "Create token",
  and: (parts: readonly string[]) => new Intl.ListFormat("en", { type: "conjunction" }).format(parts),
  cans: {
    "graph:search": "find pages by title",
    "graph:read": "read their details and text",
    "graph:neighbors": "follow links and find paths between pages",
  } as Readonly<Record<Scope, string>>,
};

/** Connected apps: the view on which a person decides about a program, and the list of those that were let in. */
export const connectWords = {
  signIn: {
    heading: "A program asks to read your pages",
    what: "Sign in first. Then you see which program it is, and decide what it may read.",
  },
  title: "Let a program read your pages?",
  signedInAs: "Signed in as",
  sendsTo: "It sends you back to",
  kinds: {
    website: "Allow it only if you came from there.",
    computer: "A program on this computer.",
    device: "An app on this device that opens such addresses.",
  },
  warnings: {
    computer:
      "Clew can’t tell which program on this computer asks. Allow it only if you have just told one here to connect.",
    device:
      "Clew can’t tell which app on this device asks. Allow it only if you have just told one to connect.",
  },
  address: "The whole address it sends you to",
  callsItself: "It calls itself",
  claim: "Programs choose this name. Nobody has checked it.",
  describedAt: "It describes itself at",
  opens: "It gets a token for",
  ends: "Until when?",
  lifetimes: {
    1: "For a day",
    7: "For 7 days",
    30: "For 30 days",
    90: "For 90 days",
    365: "For a year",
  } as Readonly<Record<number, string>>,
  otherDays: "For another number of days…",
  days: "Days",
  daysHint: "From 1 to 365.",
  until: (date: string) =>
    `Until ${date}, then it has to ask again. It ends sooner if the program does not use it for 30 days.`,
  full: "Choose one to end",
  fullWhat:
    "All ten tokens are in use, so one has to end to make room. What uses it stops working when you press Allow.",
  fullOfCodes:
    "All ten tokens are in use or held for programs that you have just allowed. Wait a minute, then press Allow.",
  earlier: "Its earlier connection",
  earlierWhat: "Leave it if another account or device of yours still uses it.",
  endEarlier: "End the earlier connection",
  isEarlier: "its earlier connection",
  byHand: "made by hand",
  since: "since",
  lastUsed: "last used",
  neverUsed: "never used",
  sentence: (can: string, where: string, until: string) => `The program can ${can} in ${where}, ${until}.`,
  change: "It can’t change anything.",
  faults: {
    workspaces: "Choose at least one workspace.",
    scopes: "Choose at least one.",
    days: "Choose from 1 to 365 days.",
    end: "Choose the one that ends.",
  },
  allow: "Allow",
  deny: "Deny",
  later: "You can end this at any time under Tokens.",
  noWorkspace: "No workspace connected yet",
  noWorkspaceWhat: "Connect one first. You then come back here.",
  connectWorkspace: "Connect a workspace",
  over: "This request is over",
  overWhat: "To connect the program, start again from there. Nothing was changed here.",
  refused: "This program can’t be connected",
  seeTokens: "See your tokens",
  sent: { allowed: "Allowed", denied: "Denied" },
  refusal: "The program asked for something that Clew does not do",
  refusalWhat: (host: string) =>
    `Nothing was connected. Go back to ${host} only if you came from there: anyone can register an address.`,
  goingTo: (host: string) =>
    `You are being sent back to ${host}. If it does not answer, start again from the program.`,
  openApp: "Go back to the program",
  openAppWhat: "Your browser asks whether it may open the program. You can close this page then.",
};

/** A word for links of each kind. */
export type LinkWords = Readonly<Record<LinkKind, string>>;

/** The blocks of a text. */
export const textWords = {
  done: "Done:",
  notDone: "Not done:",
  table: (number: number) => `Table in the text, ${number}`,
  code: (number: number) => `Code in the text, ${number}`,
};

export const graphWords = {
  untitled: "Untitled",
  page: "Page",
  database: "Database",
  tag: "Tag",
  row: "Row",
  kinds: {
    link: "link",
    mention: "mention",
    relation: "relation",
    child: "subpage",
  } satisfies LinkWords,
  kindsOfMany: {
    link: "Links",
    mention: "Mentions",
    relation: "Relations",
    child: "Subpages",
  } satisfies LinkWords,
  topLevel: "Top level",
  image: "Image",
  deadLink: "Link without an address",
  notShared: "A page that is not shared with Clew",
  otherSite: "(opens another site)",
  more: "Show more",
  loadingMore: "Loading…",
  edited: "edited",
  added: "added",
  graph: "Graph",
};

export const zoomWords = { in: "Zoom in", out: "Zoom out" };
