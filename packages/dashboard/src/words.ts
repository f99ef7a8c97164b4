import type { ProblemCode, Scope, SignInErrorCode } from "@clew/contract";
import type { LinkKind } from "./api/link-kinds.ts";

/** Every text of the dashboard. One thing has one word: docs/glossary.md, "What people see". */

const count = (number: number, noun: string, plural = `${noun}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;

/** A share that is never all: no page is more important than itself. */
export const percentOf = (share: number): string => `${Math.min(99, Math.floor(share * 100))} %`;

export const brand = "Clew";

export const signInWords = {
  title: "Sign in",
  heading: "Follow every link between your pages",
  what: "Clew reads the pages that you share with it and the links between them. Let agents and scripts search and read them. Revoke access any time.",
  demo: "Try the demo workspace",
  signIn: (provider: string) => `Sign in with ${provider}`,
  notConnected: (provider: string) => `${provider} isn’t connected yet. You can try Clew with sample pages.`,
  howTo: (provider: string) => `How to connect ${provider}`,
  howToMore: "Every step is in the documentation",
  tryAgain: "Try again",
  signedOut: "You are signed out.",
  over: "You’ve been signed out. Sign in again to continue.",
  deleted: "Your account is deleted, with everything that Clew had read.",
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
  none: "No workspace connected yet",
  noneWhat: "Connect one, and choose the pages that Clew may read. It can’t change anything.",
  connect: "Connect a workspace",
  connectAnother: "Share more pages or connect another",
  size: (nodes: number, edges: number) => `${count(nodes, "page")}, ${count(edges, "link")}`,
  explore: "Open the graph",
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

export const reportWords = {
  title: "Sync report",
  none: "No sync has ended yet.",
  kinds: { first: "First full sync", incremental: "Sync of what changed", full: "Full sync" },
  complete: "Complete: everything you share was read.",
  incomplete: "Not complete yet. The next sync tries the rest again.",
  failed: (reason: string | null) => `Stopped early. ${reason ?? ""}`,
  ended: "Ended",
  read: (pages: number) => `${count(pages, "page")} read`,
  removed: (pages: number) => `${count(pages, "page")} removed`,
  unchanged: "Nothing had changed.",
  failedPages: (pages: number) => `${count(pages, "page")} could not be read.`,
  failedMore: (pages: number) => `And ${pages.toLocaleString("en")} more.`,
  untitled: "Page without a title",
  unanswered: (requests: number) =>
    `The provider did not answer ${count(requests, "request")}, so something may be missing.`,
  details: "Which ones",
  notShared: (parts: number) =>
    `${count(parts, "part")} of your pages ${parts === 1 ? "is" : "are"} not shared with Clew.`,
  unresolved: (links: number) =>
    `${count(links, "link")} ${links === 1 ? "leads" : "lead"} to pages that you don’t share.`,
  orphans: (pages: number) =>
    `${count(pages, "page")} ${pages === 1 ? "is" : "are"} inside a page that you don’t share.`,
  unsupported: (parts: number, types: string) =>
    `${count(parts, "part")} can’t be read through the provider’s API: ${types}.`,
  share: "Share more pages",
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

export const accountWords = {
  provider: "Signed in with",
  email: "E-mail",
  since: "Since",
  lastSignIn: "Last sign-in",
  sessions: "See where you are signed in",
  signOutWhat: "Ends this session, in all tabs of this browser.",
  delete: "Delete account…",
  deleteHeading: "Delete your account",
  deleteTitle: "Delete your account?",
  deleteAction: "Delete account",
  deleteWord: "delete",
  deleteWhat:
    "Deletes your workspaces, graphs and tokens now, and signs you out everywhere. This can’t be undone.",
  deleteKept: "Your pages at the provider stay as they are.",
};

export const tokenWords = {
  title: "Tokens",
  lead: (used: number, limit: number) => `${used} of ${limit} used`,
  full: "All ten tokens are in use. Revoke one to create another.",
  create: "Create token",
  none: "No token yet",
  noneWhat:
    "Create one for each script, and for agents that can’t connect with a URL, so that you can revoke each on its own.",
  noWorkspace: "Connect a workspace first: a token reads workspaces.",
  connect: "Connect a workspace",
  list: "Tokens in use",
  byHand: "Tokens made by hand",
  filter: "Filter by name",
  noMatch: "No token has this name.",
  columns: ["Token", "Status", "Used", "Expires", "Actions"],
  reads: (workspaces: string) => `reads ${workspaces}`,
  actionsFor: (name: string) => `Actions for ${name}`,
  status: { active: "Active", expired: "Expired", revoked: "Revoked" },
  expiring: "Expires soon",
  stopping: "Being replaced",
  lostWorkspace: "a workspace that is not connected",
  never: "never",
  stops: "stops",
  revokedAt: "revoked",
  expiredAt: "expired",
  banner: {
    expiring: (names: string, number: number) =>
      `${names} ${number === 1 ? "expires" : "expire"} within 7 days. Rotate to keep the access.`,
    unused: (names: string) => `Not used in the last 90 days: ${names}. Revoke what you don’t need.`,
  },
  past: "Revoked and expired tokens",
  pastKept: "Revoked and expired tokens stay here for 90 days.",
  pastNone: "None.",
  more: "Show more",
  rotate: "Rotate…",
  rotateTitle: (name: string) => `Rotate “${name}”?`,
  rotateAction: "Rotate",
  rotateWhat: "You get a new token with the same access. The old one stops working:",
  overlaps: { 0: "now", 1: "in an hour", 24: "in a day", 168: "in 7 days" } as Readonly<
    Record<number, string>
  >,
  rotateFull: "Ten tokens are in use, so the old one stops now.",
  revoke: "Revoke…",
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeAction: "Revoke",
  revokeWhat: "Anything using this token stops working now. This can’t be undone.",
  lastUsed: "Last used",
  neverUsed: "It was never used.",
  revoked: (name: string) => `${name} is revoked.`,
  created: "Created",
  expires: "Expires",
  prefix: "Begins with",
  tools: "Tools it can call",
  canRead: "Can read",
  canDo: "Can do",
  trail: "What happened with it",
  gone: "There is no such token",
  goneWhat: "It was never yours, or it ended more than 90 days ago.",
  all: "All tokens",
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
  sent: {
    allowed: "Allowed",
    denied: "Denied",
    refused: "The program asked for something that Clew does not do",
  },
  goingTo: (host: string) =>
    `You are being sent back to ${host}. If it does not answer, start again from the program.`,
  openApp: "Go back to the program",
  openAppWhat: "Your browser asks whether it may open the program. You can close this page then.",
};

export const appWords = {
  title: "Connected apps",
  columns: ["App", "Connected", "Used", "Ends", "Actions"],
  none: "No app connected yet",
  urlWhat:
    "Claude, ChatGPT, VS Code, Cursor and others need no token from here. Add Clew to them with this URL, and decide then what each may read.",
  instead: "Or connect with a URL",
  theUrl: "the URL",
  from: (browser: string) => `from ${browser}`,
  disconnect: "Disconnect…",
  disconnectTitle: (name: string) => `Disconnect “${name}”?`,
  disconnectAction: "Disconnect",
  disconnectWhat: "The program stops reading now. It can ask to be connected again.",
  disconnected: (name: string) => `${name} is disconnected.`,
  all: "Disconnect all…",
  allTitle: "Disconnect all apps?",
  allWhat: (names: string) => `${names} stop reading now. Tokens made by hand stay.`,
  allDone: "All apps are disconnected.",
  one: "Connected app. Its name is its own claim.",
  host: "Sent back to",
  opens: "Opens",
};

export const revealWords = {
  title: (name: string) => `Token created: ${name}`,
  rotatedTitle: (name: string) => `New token: ${name}`,
  once: "Copy it now. Clew keeps only a hash of it and can never show it again.",
  token: "the token",
  line: "these lines",
  use: "Use it",
  variableLine: "this line",
  variable:
    "In a terminal, run this line. It asks for the token and keeps it in CLEW_TOKEN until the terminal is closed: in no file, and in no history.",
  shells: "Your shell",
  shell: { sh: "sh, bash, zsh", powershell: "PowerShell" },
  paste: "Paste the token there, or wherever else it is used. The terminal shows nothing.",
  env: "Keep this file out of version control.",
  done: "Done, I’ve saved it",
  askTitle: "Have you stored the token?",
  askWhat: "It is shown only now. If it is lost, rotate the token to get a new one.",
  stay: "Stay",
  leave: "Leave",
  tabs: {
    claude: "Claude Code",
    cursor: "Cursor",
    curl: "curl",
    powershell: "PowerShell",
    env: ".env",
    typescript: "TypeScript",
    python: "Python",
  },
};

/** A word for links of each kind. */
type LinkWords = Readonly<Record<LinkKind, string>>;

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

export const searchWords = {
  map: "Open the map",
  title: "Graph",
  titleFor: (q: string) => `Search: ${q}`,
  lead: "Every page Clew has read, and the links between them.",
  filters: "Filters",
  workspace: "Workspace",
  allWorkspaces: "All workspaces",
  type: "Kind",
  anyType: "Pages and databases",
  pages: "Pages",
  databases: "Databases",
  updated: "Last edited",
  updatedChoices: {
    "": "Any time",
    "7d": "In the last 7 days",
    "30d": "In the last 30 days",
    "365d": "In the last year",
    stale: "Not for half a year",
  },
  sort: "Sort by",
  sortChoices: {
    relevance: "Best match",
    updated: "Last edited",
    created: "Newest",
    title: "Title",
    degree: "Most links",
    importance: "Most important",
  },
  under: "Only below",
  underHint: "Any page",
  lists: "Lists",
  traits: {
    stale: "Stale",
    orphan: "Orphaned",
    broken: "Broken links",
    unreferenced: "Unreferenced",
    empty: "Empty",
    failed: "Not read",
  },
  traitHints: {
    stale: "Not edited for half a year",
    orphan: "Linked with no other page",
    broken: "Link to pages that are not shared or do not exist",
    unreferenced: "No page links to them",
    empty: "Have no text",
    failed: "Clew could not read their text",
  },
  clear: "Clear filters",
  results: "Results",
  count: (number: number) => count(number, "page"),
  matchCount: (all: number | null, shown: number) =>
    all === null || all === 0 ? `${count(shown, "page")} shown` : `${count(all, "page")} with every word`,
  none: (q: string) => `No page matches “${q}”`,
  noneWhat: "Check the spelling, use fewer words, or remove filters.",
  noneListed: "No page meets these filters",
  noneListedWhat: "That may be good news. Remove a filter to see more.",
  partly: (share: number) => `${Math.floor(100 * share)} % of the texts can be searched so far.`,
  ignored: (words: readonly string[]) => `Not looked for, because too frequent: ${words.join(", ")}.`,
  truncated: "The search reached its limit; there may be better matches.",
  byTitle: "Title matches",
  lacks: (words: readonly string[]) => `Lacks ${words.join(", ")}`,
  inProperty: (name: string) => `In the property ${name}`,
  inText: "In the text",
  inHeading: (name: string) => `§ ${name}`,
  important: "Most important pages",
  recent: "Recent changes",
  noRecent: "Nothing changed in the last 90 days.",
  changes: { added: "added", changed: "edited", removed: "removed" },
  tryPath: (from: string, to: string) => `How is ${from} connected with ${to}?`,
  seePath: "See the path",
  findPath: "Find a path",
  findPathWhat: "Choose two pages, and see how they are connected.",
  nothing: "Nothing to explore yet",
  nothingWhat: "Connect a workspace, and its pages appear here as soon as they are read.",
  nothingRead: "Clew has read no page yet. Workspaces says why.",
  reading: (workspace: string) => `Reading ${workspace}`,
  readingTitles: "Pages appear here as soon as their titles are known. You need not wait on this page.",
  readingTexts:
    "Every title is known, so pages can be found and opened. Their texts, and the links in them, are still coming.",
  meanwhileToken: "Create a token meanwhile",
  toWorkspaces: "Open Workspaces",
  open: (words: string) => `Open ${words}`,
};

export const pageWords = {
  fallbackTitle: "Page",
  place: "Place",
  original: "Open the original",
  gone: "There is no such page",
  goneWhat: "It may have been removed, or is no longer shared with Clew.",
  backToGraph: "Back to the graph",
  views: "Views of this page",
  textView: "Page",
  graphView: "Local graph",
  path: "Find a path from here",
  searchBelow: "Search below this page",
  created: "Created",
  linkCount: (number: number) => count(number, "link"),
  importance: (share: number) => `More important than ${percentOf(share)} of the workspace`,
  outline: "Outline",
  properties: "Properties",
  noValue: "Empty",
  yes: "Yes",
  no: "No",
  empty: "This page has no text.",
  pending: "The text has not been read yet. It appears when the sync has come to it.",
  failed: "The text could not be read. The next sync tries again.",
  moreText: (chars: number) => `Show more of the text (${chars.toLocaleString("en")} characters left)`,
  fromStart: "Show the text from its start",
  backlinks: "Linked from",
  links: "Links to",
  subpages: "Subpages",
  related: "Related pages",
  noBacklinks: "No page links here yet.",
  noLinks: "This page links to no other.",
  noRelated: "No page shares links with this one.",
  relatedReasons: {
    same_targets: (number: number) => `both link to ${count(number, "same page")}`,
    same_sources: (number: number) => `${count(number, "page")} ${number === 1 ? "links" : "link"} to both`,
  },
  unresolved: "Broken links",
  unresolvedWhat: "These pages are not shared with Clew, or do not exist.",
  nameless: "Without a name",
  times: (number: number) => (number === 1 ? "" : `${number} times`),
};

export const rowsWords = {
  title: "Rows",
  caption: (title: string) => `Rows of ${title}`,
  total: (total: number | null, shown: number) =>
    total === null ? `${count(shown, "row")} shown` : count(total, "row"),
  name: "Name",
  column: "Column",
  operator: "Condition",
  value: "Value",
  add: "Add filter",
  remove: (condition: string) => `Remove the filter ${condition}`,
  sortBy: (column: string) => `Sort by ${column}`,
  operators: {
    "=": "is",
    "!=": "is not",
    "~": "contains",
    "<": "is less than",
    "<=": "is at most",
    ">": "is greater than",
    ">=": "is at least",
    "is empty": "is empty",
    "is not empty": "is not empty",
  },
  none: "No row meets these filters.",
  noRows: "This database has no rows.",
  truncated: "A limit ended the search before all rows were read.",
};

export const zoomWords = { in: "Zoom in", out: "Zoom out" };

export const pictureWords = {
  title: (page: string) => `Local graph of ${page}`,
  label: (page: string, nodes: number) => `Pages around ${page}: ${nodes} shown`,
  help: "Arrow keys move between pages, Enter opens one, + and − zoom, Space lists its links that are not shown, Esc goes back to the middle.",
  depth: "Steps",
  depths: { 1: "1 step", 2: "2 steps" },
  kinds: "Kinds of links",
  reset: "Fit the picture",
  download: "Download PNG",
  downloadFailed: "This browser could not draw the picture.",
  table: "The same as a table",
  rows: "Pages of the picture",
  page: "Page",
  link: "How it is linked",
  across: (links: number) => `${count(links, "link")} with other pages here`,
  steps: "Steps",
  center: "this page",
  folded: (hidden: number, page: string) => `${count(hidden, "more link")} of ${page}`,
  foldedList: "Links that the picture does not show",
  inPicture: "in the picture",
  unfold: "Add them to the picture",
  hidden: (hidden: number) => `${count(hidden, "more link")} not shown`,
  cut: (nodes: number) => `The picture shows the nearest ${count(nodes, "page")}; there are more.`,
  full: (most: number) => `The picture holds at most ${most} pages.`,
  alone: "This page is linked with no other.",
  open: "Open the local graph",
};

export const pathWords = {
  title: "Find a path",
  titleFor: (from: string, to: string) => `From ${from} to ${to}`,
  lead: "Choose two pages, and see how they are connected.",
  from: "From",
  to: "To",
  hint: "Title of a page",
  swap: "Swap",
  direction: "Follow links",
  directions: { both: "In both directions", out: "Forwards only" },
  most: "Paths",
  one: "The shortest path",
  several: "Up to 5 paths",
  choices: "Matching pages",
  noMatches: "No page with such a title",
  matches: (number: number) => `${count(number, "page")} found`,
  choose: "Choose two pages to begin.",
  same: "This is one and the same page.",
  none: "These pages are not connected.",
  noneWhat: "No chain of links leads from one to the other.",
  noneSoFar: "No path was found so far.",
  noneSoFarWhat: "Clew has not read everything yet.",
  depthReached: (depth: number) => `No path of at most ${count(depth, "step")}. A longer one may exist.`,
  budgetReached: "The search reached its limit before it found a path.",
  incomplete: "The search reached its limit; there may be more paths.",
  picture: "The paths as a picture",
  heading: (index: number, length: number) => `Path ${index}: ${count(length, "step")}`,
  /** The link between two neighbours on a path, in the direction of the walk or against it. */
  forwards: {
    link: "links to",
    mention: "mentions",
    child: "contains",
    relation: "has a relation to",
  } satisfies LinkWords,
  backwards: {
    link: "is linked from",
    mention: "is mentioned by",
    child: "is a subpage of",
    relation: "is in a relation of",
  } satisfies LinkWords,
  named: (name: string) => `(${name})`,
};

export const mapWords = {
  title: "Map",
  lead: (workspace: string, pages: number) =>
    `${workspace}: ${count(pages, "page")}, each at a place that stays.`,
  workspace: "Workspace",
  views: "Views of the map",
  picture: "Map",
  table: "As a table",
  label: (pages: number) => `Map of ${count(pages, "page")}`,
  help: "Drag to move, scroll to zoom. By keyboard: arrows, + and −, 0 for everything, Enter opens the page in the middle.",
  open: "Press Enter or double-click to open it.",
  fit: "Show everything",
  untitled: "Untitled",
  noWebGl: "This browser cannot draw the map: it has no WebGL 2. The table has the same pages.",
  nothing: "No map yet",
  nothingWhat: "A workspace has a map as soon as its pages are read.",
  caption: "The pages at the top of the workspace, and what is in them",
  page: "Page",
  below: "Pages in it",
  importance: "More important than",
};
