// Written by `npm run docs` from the OpenAPI document: do not edit.

import type { RequestOptions } from "./options.ts";

export interface AccessToken {
  access: string;
}

export interface ActivityCall {
  at: string;
  /** The operation, whether it was called over HTTP or by a tool. `mcp`: a message of an agent that calls no tool, such as one that lists them */
  operation:
    | "overview"
    | "workspaces"
    | "search"
    | "resolve"
    | "text"
    | "context"
    | "nodes"
    | "node"
    | "content"
    | "rows"
    | "neighbors"
    | "edges"
    | "paths"
    | "related"
    | "tree"
    | "map"
    | "mapNodes"
    | "broken"
    | "changes"
    | "export"
    | "recent"
    | "token"
    | "mcp";
  /** The words that were looked for, or the names of the pages that were asked for, up to 200 characters. What looks like a credential is masked */
  words: string | null;
  /** The first 20 pages and databases of the answer */
  node_ids: string[];
  /** The number of pages and databases of the answer */
  pages: number;
  /** The HTTP status; that of the problem for a call of a tool that failed */
  status: number;
  /** Milliseconds until the answer was sent */
  ms: number;
}

export interface AddedSource {
  /** Where this browser goes to allow it. It works once, within ten minutes, and only with the cookie of this response */
  url: string;
}

export interface AppDecision {
  redirect_to: string;
}

export interface AppRequest {
  expires_at: string;
  client: {
    /** The name that the program gives itself. It is not verified */
    name: string;
    kind: "built_in" | "document" | "registered";
    /** The host of its document; null without one */
    host: string | null;
  };
  redirect: {
    /** The host, or the scheme with its colon, to which the browser is sent with the code */
    host: string;
    /** Whether that is a program on the person's own machine */
    is_loopback: boolean;
    /** The whole address */
    uri: string;
  };
  /** The URL that the token will open */
  resource: string;
  /** The scopes that the program asks for */
  scopes: ("graph:search" | "graph:read" | "graph:neighbors")[];
  /** Those that the person is connected to */
  workspaces: {
    id: string;
    name: string | null;
    icon: string | null;
    status: "active" | "needs_reauth";
  }[];
  /** Whether all ten usable tokens are taken, so that one has to be ended */
  limit_reached: boolean;
  /** The person's usable tokens if the limit is reached, otherwise empty */
  usable_tokens: ServiceToken[];
  earlier_token: ServiceToken | null;
  /** Set if Clew refuses the request: the address at which the program learns why. The person decides whether to go there */
  redirect_to: string | null;
}

export interface AuditLine {
  id: number;
  at: string;
  event:
    | "signed_in"
    | "signed_out"
    | "token_created"
    | "token_rotated"
    | "token_revoked"
    | "token_refused"
    | "session_refreshed"
    | "workspace_connected"
    | "workspace_disconnected";
  /** The session that started, ended, was refreshed from a new address or user agent, or made the change; null if there was none */
  session_id: string | null;
  token: {
    id: number;
    name: string;
    /** First 12 characters of the raw token */
    prefix: string;
  } | null;
  /** The token that replaced this one in a rotation */
  successor_id: number | null;
  /** The workspace that was disconnected */
  workspace_id: string | null;
  /** The problem code with which a token was refused; `workspace_disconnected` if it was revoked because all its workspaces were disconnected; `ended_elsewhere` if another session ended this one; `operator` if the operator of Clew revoked the token, ended the session or disconnected the workspace; `app_connected` if a connected app got the token; `app_disconnected` if it ended it; `code_reused` if its code was presented again; `unused` after 30 days without use */
  reason: string | null;
  /** Network address of the client */
  address: string | null;
  user_agent: string | null;
}

export interface AuditTrail {
  items: AuditLine[];
  /** null on the last page */
  next_cursor: string | null;
}

export interface Broken {
  items: {
    node: Node;
    type: "child" | "mention" | "link" | "relation";
    /** Lower-case UUID with dashes */
    target_id: string;
    /** The text of the link, if it has any; null for relations */
    name: string | null;
    count: number;
    /** The sentence or list item around each of its first 3 places in the text of the page; none for relations and texts not read yet */
    excerpts: {
      /** Where it starts in the text of the page, in code points */
      offset: number;
      /** Plain text, at most 200 characters */
      text: string;
      /** Where the link is: `[start, end)` in code points of `text` */
      marks: number[][];
    }[];
  }[];
  /** null on the last page */
  next_cursor: string | null;
  /** Items in the whole list; null if more than 10000 pages have any */
  total: number | null;
}

export interface Build {
  version: string;
  /** The commit of Clew's source; null if it is not known */
  commit: string | null;
}

export interface Changes {
  /** Apply the changes in this order: store the node on `added` and `changed`, and delete it on `removed` */
  items: {
    change: "added" | "changed" | "removed";
    /** What of a `changed` page changed since the cursor. Empty for other changes, if only its icon, address or times changed, and for what changed before Clew took note of it */
    what: ("title" | "text" | "parent" | "properties" | "references")[];
    workspace_id: string;
    /** Lower-case UUID with dashes */
    node_id: string;
    node: Node | null;
  }[];
  /** Keep it to read later changes */
  next_cursor: string;
  /** Whether more changes can be read now */
  more: boolean;
}

export interface Connection {
  /** Id of the workspace at the provider */
  id: string;
  /** Slug of the source that has it */
  provider: string;
  name: string | null;
  icon: string | null;
  status: "active" | "needs_reauth";
  last_synced_at: string | null;
}

export interface Content {
  /** Lower-case UUID with dashes */
  node_id: string;
  markdown: string;
  offset: number;
  total_chars: number;
  next_offset: number | null;
  updated_at: string;
  /** true if the page could not be read whole, so that a part of its text is missing; otherwise left out. The report of the sync says why */
  truncated?: boolean;
  /** With `include=outline`: the headings of the whole text, in order */
  headings?: {
    /** 1–6 */
    level: number;
    /** Plain text */
    text: string;
    /** Where its line starts in the whole text, in code points */
    offset: number;
  }[];
  /** true if later headings were left out to keep the response below 8 MiB; otherwise left out */
  headings_truncated?: boolean;
}

export interface Context {
  /** The passages of all items. Each page begins with lines of Clew's own: title, place, URL, reason. Its text follows in a fence; `[…]`, `[2 of 14 rows]` and `[3 of 12 items]` stand for what is left out */
  markdown: string;
  items: {
    node: Node;
    /** `asked`: it is the page of `id`; `text` or `title`: it matches; `linked`: it is linked with a page that does */
    why: "asked" | "text" | "title" | "linked";
    via: {
      /** Lower-case UUID with dashes */
      id: string;
      title: string;
    } | null;
    passages: {
      /** Where it starts in the page's text, in code points */
      offset: number;
      chars: number;
      /** The headings above it, as a reader sees them, outermost first */
      headings: string[];
    }[];
    explanation?: ContextExplanation;
  }[];
  /** The tokens of `markdown` in `o200k_base`. Only with `max_tokens` */
  tokens?: number;
  /** Words of the question that nothing shown has in any form */
  unanswered: string[];
  /** What did not fit */
  omitted: {
    /** How many more pages were candidates */
    count: number;
    /** The best ten of them */
    items: {
      /** Lower-case UUID with dashes */
      id: string;
      title: string;
    }[];
  };
  /** Share of the texts that can be found so far, 0–1 */
  indexed: number;
  /** Whether a limit ended the search before it was complete */
  truncated: boolean;
}

export interface ContextExplanation {
  /** How likely the page has the answer: the sum of `parts` */
  rank: number;
  /** Multiples of a billionth */
  parts: {
    /** It is the page of `id` */
    asked: number;
    /** Its best section, beside that of the first page that the search found */
    text: number;
    /** How many of the question's words the whole page has, beside the best page */
    whole: number;
    /** It is linked with `via` */
    links: number;
    /** The question contains its title or an alias */
    named: number;
  };
  via: {
    /** Lower-case UUID with dashes */
    id: string;
    title: string;
  } | null;
  /** The block with the highest score in each of the item's `passages`: the best five of these, highest scores first */
  passages: {
    /** The start of the block in the page's text, in code points */
    offset: number;
    chars: number;
    /** How well the block answers: the sum of `parts` */
    score: number;
    /** Multiples of a billionth. First the words of the question in each place */
    parts: {
      /** The passage itself */
      passage: number;
      /** The better of the passages before and after it */
      neighbor: number;
      /** All passages of its section */
      section: number;
      /** The headings above it */
      headings: number;
      /** The title and the aliases of its page */
      title: number;
      /** The passages of other pages that link to its page */
      linking: number;
      /** The logarithm of the page's rank beside the best one: less than 0 for all but the best pages */
      page: number;
      /** More, the nearer it is to the beginning of the page */
      opening: number;
      /** 0, or less for a block of code */
      code: number;
      /** 0, or less for a row of a table */
      row: number;
    };
    /** The words of the question that count. For each place, the share of the word that counts there: 0 for none, 1 for the word as it is written, less for another form of it, or if only the introduction of the list has it */
    words: {
      /** As search compares it: folded */
      word: string;
      /** Its share of the weight of all words, by its rarity */
      weight: number;
      /** The passage itself */
      passage: number;
      /** The better of the passages before and after it */
      neighbor: number;
      /** All passages of its section */
      section: number;
      /** The headings above it */
      headings: number;
      /** The title and the aliases of its page */
      title: number;
      /** The passages of other pages that link to its page */
      linking: number;
    }[];
  }[];
}

export interface CreatedToken {
  id: number;
  name: string;
  /** First 12 characters of the raw token */
  prefix: string;
  scopes: ("graph:search" | "graph:read" | "graph:neighbors")[];
  workspace_ids: string[];
  is_active: boolean;
  created_at: string;
  expires_at: string | null;
  client: {
    /** The name that the program gives itself. It is not verified */
    name: string;
    /** The host, or the scheme with its colon, to which its code was sent */
    host: string;
    /** The URL that the token opens, with what is below it */
    resource: string;
  } | null;
  /** The `User-Agent` of the browser or program that created it; null if unknown */
  created_by_browser: string | null;
  /** The raw token. It cannot be read again */
  token: string;
}

export interface Edge {
  /** Lower-case UUID with dashes */
  from: string;
  /** Lower-case UUID with dashes */
  to: string;
  type: "child" | "mention" | "link" | "relation";
  name: string | null;
  /** How often the link occurs; 1 for `child` */
  count: number;
  /** With `excerpts=true`: the sentence or list item around each of the first 3 places of the link in the text of `from`; none for `child`, `relation` and texts not read yet */
  excerpts?: {
    /** Where it starts in the text of `from`, in code points */
    offset: number;
    /** Plain text, at most 200 characters */
    text: string;
    /** Where the link is: `[start, end)` in code points of `text` */
    marks: number[][];
  }[];
}

export interface Edges {
  /** By `from`, then by `to` */
  items: Edge[];
  missing: string[];
  /** Whether a limit left out edges */
  truncated: boolean;
}

export type ExportLine =
  | {
      node: ExportedNode;
    }
  | {
      edge: Edge;
    }
  | {
      broken: ExportedBroken;
    }
  | {
      text: ExportedText;
    }
  | {
      end: {
        nodes: number;
        edges: number;
        /** Only with `part=broken` */
        broken?: number;
      };
    };

export interface ExportedBroken {
  /** Lower-case UUID with dashes */
  from: string;
  type: "child" | "mention" | "link" | "relation";
  /** Lower-case UUID with dashes */
  target_id: string;
  /** The text of the link, if it has any; null for relations */
  name: string | null;
  count: number;
}

export interface ExportedNode {
  /** Lower-case UUID with dashes */
  id: string;
  workspace_id: string;
  type: "page" | "database" | "tag";
  /** Empty if the page has no title */
  title: string;
  /** An emoji or an https URL */
  icon: string | null;
  url: string | null;
  /** Lower-case UUID with dashes */
  parent_id: string | null;
  created_at: string;
  updated_at: string;
  degree: {
    in: number;
    out: number;
  };
  /** Share of the workspace's other pages and databases with a lower PageRank: 0–1, four decimals */
  importance: number;
  /** Who made it; left out if the provider does not say */
  created_by?: {
    /** The provider's id */
    id: string;
    /** null if the provider does not tell it */
    name: string | null;
  };
  /** Who edited it last; left out if the provider does not say */
  edited_by?: {
    /** The provider's id */
    id: string;
    /** null if the provider does not tell it */
    name: string | null;
  };
  /** Property values by name, as plain JSON */
  properties: { [name: string]: unknown };
}

export interface ExportedText {
  /** Lower-case UUID with dashes */
  node_id: string;
  markdown: string;
  updated_at: string;
  /** true if the page could not be read whole, so that a part of its text is missing; otherwise left out. The report of the sync says why */
  truncated?: boolean;
}

export interface FailedPage {
  /** Lower-case UUID with dashes */
  node_id: string;
  title: string;
  reason: string;
}

export interface MapNodes {
  /** The version in the header of the map. Positions belong to this version alone */
  graph_version: number;
  /** How many pages the map has */
  total: number;
  items: {
    /** The position of the page in the map */
    position: number;
    /** Lower-case UUID with dashes */
    id: string;
    title: string;
  }[];
}

export interface Me {
  /** Lower-case UUID with dashes */
  id: string;
  provider: string;
  name: string | null;
  email: string | null;
  avatar_url: string | null;
  created_at: string;
  last_sign_in_at: string;
  workspaces: Connection[];
}

export interface Neighbors {
  node: Node;
  items: {
    node: Node;
    depth: number;
    edges: Edge[];
  }[];
  next_cursor: string | null;
  /** Whether a limit ended the search or left out edges of an item. Further pages do not contain what is missing */
  truncated: boolean;
  visited: number;
}

export interface Node {
  /** Lower-case UUID with dashes */
  id: string;
  workspace_id: string;
  type: "page" | "database" | "tag";
  /** Empty if the page has no title */
  title: string;
  /** An emoji or an https URL */
  icon: string | null;
  url: string | null;
  /** Lower-case UUID with dashes */
  parent_id: string | null;
  created_at: string;
  updated_at: string;
  degree: {
    in: number;
    out: number;
  };
  /** Share of the workspace's other pages and databases with a lower PageRank: 0–1, four decimals */
  importance: number;
  /** Who made it; left out if the provider does not say */
  created_by?: {
    /** The provider's id */
    id: string;
    /** null if the provider does not tell it */
    name: string | null;
  };
  /** Who edited it last; left out if the provider does not say */
  edited_by?: {
    /** The provider's id */
    id: string;
    /** null if the provider does not tell it */
    name: string | null;
  };
}

export interface NodeDetail {
  /** Lower-case UUID with dashes */
  id: string;
  workspace_id: string;
  type: "page" | "database" | "tag";
  /** Empty if the page has no title */
  title: string;
  /** An emoji or an https URL */
  icon: string | null;
  url: string | null;
  /** Lower-case UUID with dashes */
  parent_id: string | null;
  created_at: string;
  updated_at: string;
  degree: {
    in: number;
    out: number;
  };
  /** Share of the workspace's other pages and databases with a lower PageRank: 0–1, four decimals */
  importance: number;
  /** Who made it; left out if the provider does not say */
  created_by?: {
    /** The provider's id */
    id: string;
    /** null if the provider does not tell it */
    name: string | null;
  };
  /** Who edited it last; left out if the provider does not say */
  edited_by?: {
    /** The provider's id */
    id: string;
    /** null if the provider does not tell it */
    name: string | null;
  };
  /** Property values by name, as plain JSON */
  properties: { [name: string]: unknown };
  /** Root first */
  breadcrumb: {
    /** Lower-case UUID with dashes */
    id: string;
    title: string;
  }[];
  edges_by_type: {
    child: {
      in: number;
      out: number;
    };
    mention: {
      in: number;
      out: number;
    };
    link: {
      in: number;
      out: number;
    };
    relation: {
      in: number;
      out: number;
    };
  };
  /** Links to pages that are not shared with you or do not exist */
  unresolved: {
    type: "child" | "mention" | "link" | "relation";
    /** Lower-case UUID with dashes */
    target_id: string;
    /** The text of the link, if it has any; null for relations */
    name: string | null;
    count: number;
  }[];
  content_state: "ready" | "pending" | "failed" | "empty";
  /** Properties whose values could not be read: they are null in `properties`, and not empty. Left out if there are none */
  unread?: string[];
  /** Who vouches for the page; left out if nobody does or did */
  verification?: {
    state: "verified" | "expired";
    by: {
      /** The provider's id */
      id: string;
      /** null if the provider does not tell it */
      name: string | null;
    } | null;
    /** An ISO 8601 date or time */
    since: string | null;
    /** An ISO 8601 date or time; null without an end */
    until: string | null;
  };
  /** Whether large properties, the start of the breadcrumb or unresolved links were left out to keep the response below 8 MiB */
  truncated: boolean;
}

export interface Nodes {
  items: Node[];
  missing: string[];
}

export interface Overview {
  clew: Build;
  workspaces: Workspace[];
  operations: {
    name: string;
    method: "GET" | "POST" | "PATCH" | "DELETE";
    /** Path of the operation; `{id}` stands for the id of a page, database or workspace */
    path: string;
    /** Scopes that a service token needs, separated by spaces */
    scope: string | null;
    summary: string;
  }[];
}

export interface Paths {
  status: "found" | "none" | "depth_reached" | "budget_reached";
  /** false if a limit ended the search before it found `max_paths` paths */
  complete: boolean;
  /** Whether the paths go around hubs because of `avoid`; false where no other way was found */
  avoided_hubs: boolean;
  paths: {
    length: number;
    nodes: Node[];
    edges: Edge[];
  }[];
  searched: {
    max_depth: number;
    visited: number;
  };
}

export interface PresentedToken {
  name: string;
  prefix: string;
  scopes: ("graph:search" | "graph:read" | "graph:neighbors")[];
  workspace_ids: string[];
  expires_at: string | null;
}

export interface Problem {
  /** `urn:clew:problem:` and the code */
  type: string;
  title: string;
  status: number;
  code:
    | "invalid_request"
    | "invalid_json"
    | "invalid_cursor"
    | "unauthenticated"
    | "token_invalid"
    | "token_expired"
    | "token_revoked"
    | "wrong_token_type"
    | "insufficient_scope"
    | "workspace_not_allowed"
    | "origin_not_allowed"
    | "not_found"
    | "node_not_found"
    | "method_not_allowed"
    | "not_acceptable"
    | "request_timeout"
    | "token_limit_reached"
    | "conflict"
    | "cursor_expired"
    | "body_too_large"
    | "url_too_long"
    | "unsupported_media_type"
    | "expectation_failed"
    | "misdirected_request"
    | "rate_limited"
    | "headers_too_large"
    | "internal"
    | "unavailable";
  detail: string;
  request_id: string;
  errors?: {
    /** JSON Pointer into the body (RFC 6901), or `?name` of a query parameter */
    path: string;
    message: string;
  }[];
}

export interface ProposedPath {
  path: {
    length: number;
    nodes: Node[];
    edges: Edge[];
  } | null;
}

export interface Recent {
  items: {
    /** `added`: created since then; `changed`: only edited since then; `removed`: gone, not listed with `type` or `under` */
    change: "added" | "changed" | "removed";
    /** When it was last edited; of a removed one, when Clew noticed */
    at: string;
    /** What the last edit of a `changed` page changed. Empty for other changes, and if Clew has seen no edit of the page */
    what: ("title" | "text" | "parent" | "properties" | "references")[];
    /** Lower-case UUID with dashes */
    node_id: string;
    node: Node | null;
  }[];
  /** null on the last page */
  next_cursor: string | null;
  /** Items in the whole list; null if there are too many removals to count */
  total: number | null;
}

export interface Related {
  node: Node;
  items: {
    node: Node;
    /** Above 0 and at most 1: the part of the node's links that both share. A link counts less the more edges the shared page has */
    score: number;
    reasons: {
      /** `same_targets`: both link to the same pages; `same_sources`: the same pages link to both */
      type: "same_targets" | "same_sources";
      /** How many pages they share */
      count: number;
      /** Up to three of these pages, those with the fewest edges first */
      via: {
        /** Lower-case UUID with dashes */
        id: string;
        title: string;
      }[];
    }[];
  }[];
  /** Whether a limit ended the search */
  truncated: boolean;
}

export interface ResolvedPages {
  /** One if the text names it. Several, at most 10 and best first, if they share the title or the digits. None if no readable page is meant */
  items: Node[];
}

export interface Rows {
  /** The columns that are shown. Empty until a sync has read them */
  schema: {
    name: string;
    type:
      | "title"
      | "text"
      | "number"
      | "checkbox"
      | "select"
      | "multi_select"
      | "status"
      | "date"
      | "people"
      | "relation"
      | "files"
      | "url"
      | "email"
      | "phone_number"
      | "unique_id"
      | "created_time"
      | "created_by"
      | "last_edited_time"
      | "last_edited_by"
      | "formula"
      | "rollup"
      | "place"
      | "verification"
      | "button";
    /** Empty for types without options */
    options: string[];
    /** Left out if the column has none */
    description?: string;
  }[];
  items: {
    node: Node;
    /** Values by name of the column, as plain JSON. A relation is a list of `{id, title}`; the title is null where that page is not shared with you */
    properties: { [name: string]: unknown };
  }[];
  /** null on the last page */
  next_cursor: string | null;
  /** Number of rows that meet the conditions; null where it was not counted */
  total: number | null;
  /** Whether a limit ended the search before it had read all rows, or large values were left out. Sorted by a column, further pages do not contain rows that were not read */
  truncated: boolean;
}

export interface SearchResults {
  items: {
    node: Node;
    /** null without `q` */
    score: number | null;
    match: "exact" | "prefix" | "words" | "substring" | "fuzzy" | null;
    /** With `breadcrumb=true`: root first */
    breadcrumb?: {
      /** Lower-case UUID with dashes */
      id: string;
      title: string;
    }[];
    /** true if the start of the breadcrumb was left out: the nearest 20 pages are listed, fewer if their titles are very long; otherwise left out */
    breadcrumb_truncated?: boolean;
  }[];
  /** null on the last page */
  next_cursor: string | null;
  /** Number of items in the whole list; null where it was not counted */
  total: number | null;
  /** Where only the filters leave nothing, the number of pages that match without them in all readable workspaces; otherwise, or where they were not counted, null */
  unfiltered_total: number | null;
}

export interface ServiceToken {
  id: number;
  name: string;
  /** First 12 characters of the raw token */
  prefix: string;
  scopes: ("graph:search" | "graph:read" | "graph:neighbors")[];
  workspace_ids: string[];
  is_active: boolean;
  created_at: string;
  expires_at: string | null;
  client: {
    /** The name that the program gives itself. It is not verified */
    name: string;
    /** The host, or the scheme with its colon, to which its code was sent */
    host: string;
    /** The URL that the token opens, with what is below it */
    resource: string;
  } | null;
  /** The `User-Agent` of the browser or program that created it; null if unknown */
  created_by_browser: string | null;
  status: "active" | "expired" | "revoked";
  /** In the future while a rotated token is still valid */
  revoked_at: string | null;
  last_used_at: string | null;
}

export interface ServiceTokenList {
  items: ServiceToken[];
  /** null on the last page */
  next_cursor: string | null;
}

export interface Session {
  /** Lower-case UUID with dashes */
  id: string;
  created_at: string;
  last_refreshed_at: string | null;
  expires_at: string;
  /** The address that signed in */
  address: string | null;
  /** The browser or program that signed in */
  user_agent: string | null;
  refreshed_from: {
    at: string;
    address: string | null;
    user_agent: string | null;
  } | null;
  /** Whether this is the session of the request */
  current: boolean;
}

export interface SessionList {
  items: Session[];
  /** null on the last page */
  next_cursor: string | null;
}

export interface SignInStatus {
  /** Slug of the provider */
  provider: string;
  /** Name of the provider, for a button */
  name: string;
  configured: boolean;
  stand_in: boolean;
  /** Name of the folder, if the source is one */
  folder: string | null;
  setup: {
    name: string;
    steps: string[];
  } | null;
  workspaces: Connection[] | null;
  /** All sources; where the path has the name of one, that one */
  sources: Source[];
}

export interface Source {
  /** Slug of the source, for paths */
  provider: string;
  /** Name of the source, for a button */
  name: string;
  kind: "service" | "folder" | "demo";
  /** Whether it is opened with a one-time code of the operator (SIGN-12) */
  asks_for_code: boolean;
}

export interface SyncProgress {
  state: "queued" | "running" | "waiting" | "idle" | "failed";
  phase: "titles" | "content" | null;
  done: number;
  /** null until the number of pages is known */
  total: number | null;
  started_at: string | null;
  finished_at: string | null;
  error: string | null;
  outcome: "complete" | "incomplete" | "failed" | null;
  waiting_until: string | null;
  /** At most 20 pages whose text could not be read. The next sync tries again */
  failed: FailedPage[];
  failed_total: number;
}

export interface SyncReport {
  kind: "first" | "incremental" | "full";
  outcome: "complete" | "incomplete" | "failed";
  started_at: string;
  finished_at: string;
  /** Why the sync ended early */
  error: string | null;
  /** How many pages and databases were found first by each step: search, database rows, following links */
  found: {
    search: number;
    rows: number;
    crawl: number;
  };
  /** Number of page texts that were read */
  fetched: number;
  removed: number;
  /** Pages whose text could not be read or is incomplete */
  failed: FailedPage[];
  failed_total: number;
  /** Requests that the provider did not answer */
  unanswered: string[];
  /** Types that Clew does not know, or that the provider's API does not show */
  unsupported: {
    kind: "object" | "parent" | "property" | "block";
    type: string;
    count: number;
  }[];
  /** Parts of pages that are not shared with you */
  not_shared: number;
  /** Links to pages that are not shared with you */
  unresolved: number;
  /** Pages and databases whose parent is not shared with you */
  orphans: number;
  source: {
    /** The tool by whose rules links were read, such as Obsidian */
    dialect: string | null;
    /** Files that were not read, by ending or kind */
    unread: {
      type: string;
      count: number;
    }[];
    /** Up to 100 files that were left out, or read only in part, and why */
    named: {
      path: string;
      message: string;
    }[];
  } | null;
}

export interface SyncReportList {
  items: SyncReport[];
}

export interface TextResults {
  items: {
    node: Node;
    /** 0–1 */
    score: number;
    /** `all` where one section has every word */
    match: "all" | "some";
    /** Words of the query that the page lacks */
    missing: string[];
    /** Up to three places, best first */
    hits: {
      /** Where the snippet starts in the text, in code points, for `content/?offset=`; null in a property */
      offset: number | null;
      /** The nearest heading above */
      heading: string | null;
      /** The property that has the words; null in the text */
      property: string | null;
      /** At most 300 characters of plain text */
      snippet: string;
      /** What was found: `[start, end)` in code points of the snippet */
      marks: number[][];
    }[];
    /** With `breadcrumb=true`: root first */
    breadcrumb?: {
      /** Lower-case UUID with dashes */
      id: string;
      title: string;
    }[];
    /** true if the start of the breadcrumb was left out: the nearest 20 pages are listed, fewer if their titles are very long; otherwise left out */
    breadcrumb_truncated?: boolean;
  }[];
  /** null on the last page */
  next_cursor: string | null;
  /** Number of pages that match `all`; null where they were not counted */
  total: number | null;
  /** Where only the filters leave nothing, the number of pages that match without them in all readable workspaces; otherwise, or where they were not counted, null */
  unfiltered_total: number | null;
  /** Share of the texts that can be found so far, 0–1 */
  indexed: number;
  /** Words that were not looked for, to bound the work */
  ignored: string[];
  /** Whether a limit ended the search before it was complete */
  truncated: boolean;
}

export interface TokenActivity {
  /** For how many days calls are kept; 0 if none are */
  days: number;
  calls: number;
  /** Calls that were refused: for their credentials, their scopes, or because there were too many */
  refused: number;
  /** Different pages and databases that answers had; at most 10000 are counted */
  pages: number;
  /** The same of the last 7 days */
  week: {
    calls: number;
    /** Calls that were refused: for their credentials, their scopes, or because there were too many */
    refused: number;
    /** Different pages and databases that answers had; at most 10000 are counted */
    pages: number;
  };
  /** Calls by hour and operation, oldest first; hours without calls are left out */
  hours: {
    /** When the hour begins */
    at: string;
    operation:
      | "overview"
      | "workspaces"
      | "search"
      | "resolve"
      | "text"
      | "context"
      | "nodes"
      | "node"
      | "content"
      | "rows"
      | "neighbors"
      | "edges"
      | "paths"
      | "related"
      | "tree"
      | "map"
      | "mapNodes"
      | "broken"
      | "changes"
      | "export"
      | "recent"
      | "token"
      | "mcp";
    calls: number;
    refused: number;
  }[];
  /** The pages and databases that most answers had, at most 20 */
  most_read: {
    /** Lower-case UUID with dashes */
    node_id: string;
    /** Answers that had it */
    reads: number;
    /** When the latest of them was sent */
    read_at: string;
  }[];
  /** The latest calls, newest first */
  latest: ActivityCall[];
  /** As `Last-Event-ID`, it has the events begin after these calls */
  last_event_id: string;
}

export interface TokenUseList {
  /** Tokens without a call in that time are left out */
  items: {
    token_id: number;
    /** Calls in each of the last 7 spans of 24 hours, oldest first */
    days: number[];
  }[];
}

export interface Tree {
  items: {
    node: Node;
    /** 1 at the top of the list */
    depth: number;
    /** How many pages and databases are directly in it */
    children: number;
    /** How many are in it altogether */
    below: number;
  }[];
  /** null on the last page */
  next_cursor: string | null;
}

export interface Validation {
  valid: true;
  token_type: "access";
  /** Lower-case UUID with dashes */
  user_id: string;
  /** Lower-case UUID with dashes */
  session_id: string;
  issued_at: string;
  expires_at: string;
}

export interface Workspace {
  /** Id of the workspace at the provider */
  id: string;
  /** Slug of the source that has it */
  provider: string;
  name: string | null;
  icon: string | null;
  status: "active" | "needs_reauth";
  nodes: number;
  edges: number;
  sync: SyncProgress;
  /** Whether its tags are nodes (SRC-4). null if the source has no tags */
  tags: boolean | null;
  /** When a sync last ended, complete or not */
  last_synced_at: string | null;
  /** When the last complete sync began to list: edits until then are in the graph. null before the first complete one */
  complete_as_of: string | null;
  /** When Clew last looked for edits and had all that the provider listed: later than complete_as_of, but removed pages and what search does not list are as of that. null before the first complete sync */
  edits_as_of: string | null;
}

export interface WorkspaceList {
  items: Workspace[];
}

export type ProblemCode = Problem["code"];

export interface RefreshAccessTokenInput {
  readonly refresh: string;
}

export interface SignOutInput {
  readonly refresh: string;
}

export type ValidateAccessTokenInput = { readonly [name: string]: never };

export type GetMeInput = { readonly [name: string]: never };

export type DeleteAccountInput = { readonly [name: string]: never };

export interface ListSessionsInput {
  /** How many items to return at most. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before */
  readonly cursor?: string | undefined;
}

export type EndOtherSessionsInput = { readonly [name: string]: never };

export interface EndSessionInput {
  /** The session's id */
  readonly id: string | number;
}

export interface ListAuditTrailInput {
  /** Returns only events of this token */
  readonly token_id?: number | undefined;
  /** How many items to return at most. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before */
  readonly cursor?: string | undefined;
}

export interface CreateServiceTokenInput {
  /** Label of the token, 1–100 characters after trimming */
  readonly name: string;
  readonly scopes: readonly ("graph:search" | "graph:read" | "graph:neighbors")[];
  readonly workspace_ids: readonly string[];
  /** Days until the token expires; never if absent or null */
  readonly expires_in_days?: number | null | undefined;
}

export interface ListServiceTokensInput {
  /** Only usable tokens, or only expired and revoked ones */
  readonly is_active?: boolean | undefined;
  /** How many items to return at most. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before */
  readonly cursor?: string | undefined;
}

export interface RotateServiceTokenInput {
  /** The token's id, an integer */
  readonly id: string | number;
  /** How long the old token remains valid, in hours. Default: 0. */
  readonly overlap_hours?: number | undefined;
}

export interface RevokeServiceTokenInput {
  /** The token's id, an integer */
  readonly id: string | number;
}

export type ListTokenUseInput = { readonly [name: string]: never };

export interface GetTokenActivityInput {
  /** The token's id, an integer */
  readonly id: string | number;
  /** How many of the latest calls to return at most. Default: 500. */
  readonly limit?: number | undefined;
}

export interface GetAppRequestInput {
  /** The id in the address of the page */
  readonly id: string | number;
}

export interface ApproveAppRequestInput {
  /** The id in the address of the page */
  readonly id: string | number;
  /** None but those that the program asks for */
  readonly scopes: readonly ("graph:search" | "graph:read" | "graph:neighbors")[];
  readonly workspace_ids: readonly string[];
  /** Days until the program has to ask again. Default: 30. */
  readonly expires_in_days?: number | undefined;
  /** A token of the person's that is ended first */
  readonly end_token_id?: number | null | undefined;
}

export interface DenyAppRequestInput {
  /** The id in the address of the page */
  readonly id: string | number;
}

export type GetOverviewInput = { readonly [name: string]: never };

export type ListWorkspacesInput = { readonly [name: string]: never };

export interface SearchPagesInput {
  /** 1–200 characters after trimming; without it, all pages are listed */
  readonly q?: string | undefined;
  /** Id of a workspace; by default all that the caller may read */
  readonly workspace_id?: string | undefined;
  /** Only pages, only databases, or only tags */
  readonly type?: "page" | "database" | "tag" | undefined;
  /** Only this page or database and what is below it: an id, with or without dashes, or the URL at the provider */
  readonly under?: string | undefined;
  /** Last edited at this time or later: an RFC 3339 date (midnight UTC) or date-time, or a span back from now in hours, days, weeks, months of 30 days or years of 365 (`24h`, `7d`, `2w`, `6mo`, `1y`) */
  readonly updated_after?: string | undefined;
  /** Last edited before this time: an RFC 3339 date (midnight UTC) or date-time, or a span back from now in hours, days, weeks, months of 30 days or years of 365 (`24h`, `7d`, `2w`, `6mo`, `1y`) */
  readonly updated_before?: string | undefined;
  /** Created at this time or later: an RFC 3339 date (midnight UTC) or date-time, or a span back from now in hours, days, weeks, months of 30 days or years of 365 (`24h`, `7d`, `2w`, `6mo`, `1y`) */
  readonly created_after?: string | undefined;
  /** Created before this time: an RFC 3339 date (midnight UTC) or date-time, or a span back from now in hours, days, weeks, months of 30 days or years of 365 (`24h`, `7d`, `2w`, `6mo`, `1y`) */
  readonly created_before?: string | undefined;
  /** Made or last edited by this person: the provider's id, or the name, or words of it, without regard to case and accents */
  readonly by?: string | undefined;
  /** Comma-separated list; all must hold, and `-` negates one: `orphan` (no edge but `child`), `unreferenced` (no link, mention or relation in), `dead_end` (none out), `broken` (a reference that does not resolve), `empty` (read, and no text), `failed` (could not be read), `row` (in a database), `archived`, `verified`, `expired` (its verification). Needs graph:read as well */
  readonly is?: string | readonly string[] | undefined;
  /** `relevance` by default with `q`, and only with it; otherwise `updated` */
  readonly sort?: "relevance" | "updated" | "created" | "title" | "degree" | "importance" | undefined;
  /** `asc` by default for `title`, `desc` for the others; not with `relevance` */
  readonly order?: "asc" | "desc" | undefined;
  /** Whether each item comes with the pages above its page. Default: false. */
  readonly breadcrumb?: boolean | undefined;
  /** How many items to return at most. Default: 20. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before */
  readonly cursor?: string | undefined;
}

export interface ResolvePageInput {
  /** The page: its URL, its id, the last eight digits of its id or more, its title, `title [last digits]`, or its place (`Solar System › Jupiter`). What tools for agents print is taken too */
  readonly page: string;
}

export interface SearchTextsInput {
  /** 1–500 characters after trimming. Any word may match; `"a phrase"` must occur word for word, a page with `-word` is left out, and `word*` finds longer words as well */
  readonly q: string;
  /** Id of a workspace; by default all that the caller may read */
  readonly workspace_id?: string | undefined;
  /** Only pages, only databases, or only tags */
  readonly type?: "page" | "database" | "tag" | undefined;
  /** Only this page or database and what is below it: an id, with or without dashes, or the URL at the provider */
  readonly under?: string | undefined;
  /** Last edited at this time or later: an RFC 3339 date (midnight UTC) or date-time, or a span back from now in hours, days, weeks, months of 30 days or years of 365 (`24h`, `7d`, `2w`, `6mo`, `1y`) */
  readonly updated_after?: string | undefined;
  /** Last edited before this time: an RFC 3339 date (midnight UTC) or date-time, or a span back from now in hours, days, weeks, months of 30 days or years of 365 (`24h`, `7d`, `2w`, `6mo`, `1y`) */
  readonly updated_before?: string | undefined;
  /** Created at this time or later: an RFC 3339 date (midnight UTC) or date-time, or a span back from now in hours, days, weeks, months of 30 days or years of 365 (`24h`, `7d`, `2w`, `6mo`, `1y`) */
  readonly created_after?: string | undefined;
  /** Created before this time: an RFC 3339 date (midnight UTC) or date-time, or a span back from now in hours, days, weeks, months of 30 days or years of 365 (`24h`, `7d`, `2w`, `6mo`, `1y`) */
  readonly created_before?: string | undefined;
  /** Made or last edited by this person: the provider's id, or the name, or words of it, without regard to case and accents */
  readonly by?: string | undefined;
  /** Comma-separated list; all must hold, and `-` negates one: `orphan` (no edge but `child`), `unreferenced` (no link, mention or relation in), `dead_end` (none out), `broken` (a reference that does not resolve), `empty` (read, and no text), `failed` (could not be read), `row` (in a database), `archived`, `verified`, `expired` (its verification). Needs graph:read as well */
  readonly is?: string | readonly string[] | undefined;
  /** `relevance` by default with `q`, and only with it; otherwise `updated` */
  readonly sort?: "relevance" | "updated" | "created" | "title" | "degree" | "importance" | undefined;
  /** `asc` by default for `title`, `desc` for the others; not with `relevance` */
  readonly order?: "asc" | "desc" | undefined;
  /** Whether each item comes with the pages above its page. Default: false. */
  readonly breadcrumb?: boolean | undefined;
  /** How many items to return at most. Default: 10. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before */
  readonly cursor?: string | undefined;
}

export interface BuildContextInput {
  /** A question or words, as in `text/`; words that the answer may have are best added, since pages may word it otherwise. `q`, `id` or both must be given */
  readonly q?: string | undefined;
  /** Up to 12 words that the answer may have, at half weight. Needs `q` */
  readonly also?: string | undefined;
  /** The page that the question is about, or whose surroundings are wanted: an id, with or without dashes, or the URL at the provider */
  readonly id?: string | undefined;
  /** Id of a workspace; by default all that the caller may read */
  readonly workspace_id?: string | undefined;
  /** The length of `markdown` at most, in code points. Default: 16000. */
  readonly max_chars?: number | undefined;
  /** The tokens of `markdown` at most, unless the shortest context, of 1000 characters, has more. `tokens` says how many there are */
  readonly max_tokens?: number | undefined;
  /** Whether each item says of which parts its rank and the scores of its passages are the sums. Only with a session. Default: false. */
  readonly explain?: boolean | undefined;
}

export interface GetPagesInput {
  /** Comma-separated list of up to 100 ids or URLs at the provider; an empty one has no items */
  readonly ids: string | readonly string[];
}

export interface GetPageInput {
  /** The node's id, with or without dashes */
  readonly id: string | number;
}

export interface GetPageContentInput {
  /** The node's id, with or without dashes */
  readonly id: string | number;
  /** Where to start, in Unicode code points. Default: 0. */
  readonly offset?: number | undefined;
  /** How much to return at most, in Unicode code points. Default: 50000. */
  readonly max_chars?: number | undefined;
  /** Start at the first heading with this text, in place of `offset`. Case and accents do not matter */
  readonly heading?: string | undefined;
  /** `outline` adds `headings`. It does not apply to `text/markdown` */
  readonly include?: string | undefined;
}

export interface ListRowsInput {
  /** The node's id, with or without dashes */
  readonly id: string | number;
  /** A condition, `<column> <operator> <value>`; may be repeated, and then all must hold. The operator is `=`, `!=`, `<`, `<=`, `>`, `>=` or `~` (contains), or, without a value, `is empty` or `is not empty`; `==` is `=`, and `contains` is `~`. Quotes around a value are dropped, once. Compared by the type of the column: numbers; times (RFC 3339, or a span back from now as `7d`, or ahead as `+7d`, written `%2B7d` in a URL; a range of dates by its start); checkboxes (`true`, `false`); options, people and relations by name, relations also by id or URL, where a comma list means any of them; all else as text, without regard to case and accents. With `=`, a value that is an option of neither the schema nor a row is 400. An empty value meets only `!=` and `is empty`. Example: `Status = Open, In progress` */
  readonly where?: readonly string[] | undefined;
  /** Show only this column; may be repeated, and sets their order. Case makes no difference */
  readonly column?: readonly string[] | undefined;
  /** The name of a column, or `title` (the default), `updated` or `created`; a column of that name comes first. Empty values are last, rows with equal values are in the order of ids */
  readonly sort?: string | undefined;
  /** `desc` by default for `updated` and `created`, `asc` for the others */
  readonly order?: "asc" | "desc" | undefined;
  /** How many items to return at most. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before */
  readonly cursor?: string | undefined;
}

export interface ListNeighborsInput {
  /** The node's id, with or without dashes */
  readonly id: string | number;
  /** Follow edges to a page (`in`), from it (`out`) or in both directions. Default: "both". */
  readonly direction?: "in" | "out" | "both" | undefined;
  /** Comma-separated list of child, mention, link, relation */
  readonly edge_type?: string | readonly string[] | undefined;
  /** Comma-separated list of page, database, tag */
  readonly node_type?: string | readonly string[] | undefined;
  /** How many steps away neighbours may be. Default: 1. */
  readonly depth?: number | undefined;
  /** Whether links and mentions come with what surrounds them. Needs graph:read as well; a page then has at most 50 neighbours. Default: false. */
  readonly excerpts?: boolean | undefined;
  /** How many items to return at most. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before */
  readonly cursor?: string | undefined;
}

export interface ListEdgesInput {
  /** Comma-separated list of 1–200 ids or URLs at the provider */
  readonly ids: string | readonly string[];
  /** Comma-separated list of child, mention, link, relation */
  readonly edge_type?: string | readonly string[] | undefined;
}

export interface FindPathsInput {
  /** Where the paths begin: an id, with or without dashes, or the URL at the provider */
  readonly from: string;
  /** Where they end: an id, with or without dashes, or the URL at the provider */
  readonly to: string;
  /** Follow edges to a page (`in`), from it (`out`) or in both directions. Default: "both". */
  readonly direction?: "in" | "out" | "both" | undefined;
  /** Comma-separated list of child, mention, link, relation */
  readonly edge_type?: string | readonly string[] | undefined;
  /** How many edges a path may have. Default: 6. */
  readonly max_depth?: number | undefined;
  /** How many paths to find. Default: 1. */
  readonly max_paths?: number | undefined;
  /** `hubs`: go around pages in between that have more than 200 edges, if there is another way within `max_depth` */
  readonly avoid?: "hubs" | undefined;
  /** Whether links and mentions come with what surrounds them. Needs graph:read as well. Default: false. */
  readonly excerpts?: boolean | undefined;
}

export interface GetRelatedInput {
  /** The node's id, with or without dashes */
  readonly id: string | number;
  /** Whether to list what is linked directly as well. Default: false. */
  readonly linked?: boolean | undefined;
  /** How many items to return at most. Default: 10. */
  readonly limit?: number | undefined;
}

export interface ListTreeInput {
  /** Id of a workspace; by default all that the caller may read */
  readonly workspace_id?: string | undefined;
  /** List what is in this page or database: an id, with or without dashes, or the URL at the provider */
  readonly under?: string | undefined;
  /** Levels to list. Default: 2. */
  readonly depth?: number | undefined;
  /** How many items to return at most. Default: 200. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before */
  readonly cursor?: string | undefined;
}

export interface ListMapPagesInput {
  /** The provider's id of the workspace, as listed by `workspaces/` */
  readonly id: string | number;
  /** The position of the first page. Default: 0. */
  readonly from?: number | undefined;
  /** How many pages to list. Default: 100. */
  readonly count?: number | undefined;
  /** Lists these pages instead: up to 100 ids, separated by commas. Pages that the map lacks are left out */
  readonly ids?: string | undefined;
  /** Lists the pages at these positions instead: up to 100, separated by commas, and not together with `ids`. Positions that the map lacks are left out */
  readonly positions?: string | undefined;
}

export interface ListBrokenLinksInput {
  /** Id of a workspace; by default all that the caller may read */
  readonly workspace_id?: string | undefined;
  /** Only references of this page or database and of what is below it: an id, with or without dashes, or the URL at the provider */
  readonly under?: string | undefined;
  /** How many items to return at most. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before */
  readonly cursor?: string | undefined;
}

export interface ListChangesInput {
  /** Id of a workspace; by default all that the caller may read */
  readonly workspace_id?: string | undefined;
  /** How many items to return at most. Default: 100. */
  readonly limit?: number | undefined;
  /** `next_cursor` of an earlier response, or `now` for a cursor that reads only later changes. Without it, every page and database is returned as `added` */
  readonly cursor?: string | undefined;
  /** With a cursor: if there are no changes, the seconds to wait for some. Up to four requests of a token may wait at a time. Default: 0. */
  readonly wait?: number | undefined;
}

export interface ListRecentChangesInput {
  /** Since when, within the last 90 days: an RFC 3339 date (midnight UTC) or date-time, or a span back from now in hours, days, weeks or months of 30 days (`24h`, `7d`, `2w`, `2mo`). Default: "7d". */
  readonly since?: string | undefined;
  /** Id of a workspace; by default all that the caller may read */
  readonly workspace_id?: string | undefined;
  /** Only pages, only databases, or only tags */
  readonly type?: "page" | "database" | "tag" | undefined;
  /** Only this page or database and what is below it: an id, with or without dashes, or the URL at the provider */
  readonly under?: string | undefined;
  /** How many items to return at most. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before */
  readonly cursor?: string | undefined;
}

export type GetPresentedTokenInput = { readonly [name: string]: never };

export interface AddSourceInput {
  /** Slug of the source: lower-case letters, digits and dashes */
  readonly provider: string;
}

export type GetSignInStatusInput = { readonly [name: string]: never };

export type ProposePathInput = { readonly [name: string]: never };

export interface StartSyncInput {
  /** The provider's id of the workspace, as listed by `workspaces/` */
  readonly id: string | number;
  /** Whether to read everything again, including what search does not list. Default: false. */
  readonly full?: boolean | undefined;
}

export interface ListSyncsInput {
  /** The provider's id of the workspace, as listed by `workspaces/` */
  readonly id: string | number;
}

export interface ChangeWorkspaceInput {
  /** The provider's id of the workspace, as listed by `workspaces/` */
  readonly id: string | number;
  /** Whether the tags of the pages are nodes of the type `tag` */
  readonly tags: boolean;
}

export interface DisconnectWorkspaceInput {
  /** The provider's id of the workspace, as listed by `workspaces/` */
  readonly id: string | number;
}

export interface ExportGraphInput {
  /** `csv` needs `part`, since it has one table. Default: "jsonl". */
  readonly format?: "jsonl" | "csv" | "graphml" | undefined;
  /** Leaves out the other half of the graph. `broken` has the links to pages that are not shared or do not exist, in place of both halves; not with `format=graphml` */
  readonly part?: "nodes" | "edges" | "broken" | undefined;
  /** Id of a workspace; by default all that the caller may read */
  readonly workspace_id?: string | undefined;
  /** Whether to add the texts of pages; only with `format=jsonl` and the nodes. Default: false. */
  readonly text?: boolean | undefined;
}

/** The input and output of each operation. */
export interface Operations {
  refreshAccessToken: { input: RefreshAccessTokenInput; output: AccessToken };
  signOut: { input: SignOutInput; output: null };
  validateAccessToken: { input: ValidateAccessTokenInput; output: Validation };
  getMe: { input: GetMeInput; output: Me };
  deleteAccount: { input: DeleteAccountInput; output: null };
  listSessions: { input: ListSessionsInput; output: SessionList };
  endOtherSessions: { input: EndOtherSessionsInput; output: null };
  endSession: { input: EndSessionInput; output: null };
  listAuditTrail: { input: ListAuditTrailInput; output: AuditTrail };
  createServiceToken: { input: CreateServiceTokenInput; output: CreatedToken };
  listServiceTokens: { input: ListServiceTokensInput; output: ServiceTokenList };
  rotateServiceToken: { input: RotateServiceTokenInput; output: CreatedToken };
  revokeServiceToken: { input: RevokeServiceTokenInput; output: null };
  listTokenUse: { input: ListTokenUseInput; output: TokenUseList };
  getTokenActivity: { input: GetTokenActivityInput; output: TokenActivity };
  getAppRequest: { input: GetAppRequestInput; output: AppRequest };
  approveAppRequest: { input: ApproveAppRequestInput; output: AppDecision };
  denyAppRequest: { input: DenyAppRequestInput; output: AppDecision };
  getOverview: { input: GetOverviewInput; output: Overview };
  listWorkspaces: { input: ListWorkspacesInput; output: WorkspaceList };
  searchPages: { input: SearchPagesInput; output: SearchResults };
  resolvePage: { input: ResolvePageInput; output: ResolvedPages };
  searchTexts: { input: SearchTextsInput; output: TextResults };
  buildContext: { input: BuildContextInput; output: Context };
  getPages: { input: GetPagesInput; output: Nodes };
  getPage: { input: GetPageInput; output: NodeDetail };
  getPageContent: { input: GetPageContentInput; output: Content };
  listRows: { input: ListRowsInput; output: Rows };
  listNeighbors: { input: ListNeighborsInput; output: Neighbors };
  listEdges: { input: ListEdgesInput; output: Edges };
  findPaths: { input: FindPathsInput; output: Paths };
  getRelated: { input: GetRelatedInput; output: Related };
  listTree: { input: ListTreeInput; output: Tree };
  listMapPages: { input: ListMapPagesInput; output: MapNodes };
  listBrokenLinks: { input: ListBrokenLinksInput; output: Broken };
  listChanges: { input: ListChangesInput; output: Changes };
  listRecentChanges: { input: ListRecentChangesInput; output: Recent };
  getPresentedToken: { input: GetPresentedTokenInput; output: PresentedToken };
  addSource: { input: AddSourceInput; output: AddedSource };
  getSignInStatus: { input: GetSignInStatusInput; output: SignInStatus };
  proposePath: { input: ProposePathInput; output: ProposedPath };
  startSync: { input: StartSyncInput; output: Workspace };
  listSyncs: { input: ListSyncsInput; output: SyncReportList };
  changeWorkspace: { input: ChangeWorkspaceInput; output: Workspace };
  disconnectWorkspace: { input: DisconnectWorkspaceInput; output: null };
}

export type OperationName = keyof Operations;

/** The operations as methods. */
export interface Api {
  /** Issue a new access token for a refresh token. */
  refreshAccessToken(input: RefreshAccessTokenInput, options?: RequestOptions): Promise<AccessToken>;
  /** End the session of a refresh token. */
  signOut(input: SignOutInput, options?: RequestOptions): Promise<null>;
  /** Validate the access token. */
  validateAccessToken(input?: ValidateAccessTokenInput, options?: RequestOptions): Promise<Validation>;
  /** Get the signed-in user. */
  getMe(input?: GetMeInput, options?: RequestOptions): Promise<Me>;
  /** Delete the account: its sessions, service tokens, grants and graphs. */
  deleteAccount(input?: DeleteAccountInput, options?: RequestOptions): Promise<null>;
  /** List the caller's active sessions, newest first. */
  listSessions(input?: ListSessionsInput, options?: RequestOptions): Promise<SessionList>;
  /** End all of the caller's sessions except the current one. */
  endOtherSessions(input?: EndOtherSessionsInput, options?: RequestOptions): Promise<null>;
  /** End one of the caller's sessions. */
  endSession(input: EndSessionInput, options?: RequestOptions): Promise<null>;
  /** List the audit trail of the caller's sessions and service tokens, newest first. */
  listAuditTrail(input?: ListAuditTrailInput, options?: RequestOptions): Promise<AuditTrail>;
  /** Create a service token; its raw value is in this response only. */
  createServiceToken(input: CreateServiceTokenInput, options?: RequestOptions): Promise<CreatedToken>;
  /** List the caller's service tokens, newest first. */
  listServiceTokens(input?: ListServiceTokensInput, options?: RequestOptions): Promise<ServiceTokenList>;
  /** Replace a service token with a new one of the same access; its raw value is in this response only. */
  rotateServiceToken(input: RotateServiceTokenInput, options?: RequestOptions): Promise<CreatedToken>;
  /** Revoke a service token permanently. */
  revokeServiceToken(input: RevokeServiceTokenInput, options?: RequestOptions): Promise<null>;
  /** List how much the caller's service tokens were used in the last week. */
  listTokenUse(input?: ListTokenUseInput, options?: RequestOptions): Promise<TokenUseList>;
  /** Get what a service token read, also for a while after it has ended.

Calls are written down together about once a second, so that a process that is killed loses the latest. They are kept for ACTIVITY_DAYS. */
  getTokenActivity(input: GetTokenActivityInput, options?: RequestOptions): Promise<TokenActivity>;
  /** Get a program's request to be connected, in the browser that it was made in. */
  getAppRequest(input: GetAppRequestInput, options?: RequestOptions): Promise<AppRequest>;
  /** Connect the program: it gets a service token for the code in the address that is returned. */
  approveAppRequest(input: ApproveAppRequestInput, options?: RequestOptions): Promise<AppDecision>;
  /** Refuse to connect the program. */
  denyAppRequest(input: DenyAppRequestInput, options?: RequestOptions): Promise<AppDecision>;
  /** What the caller may read, and how. */
  getOverview(input?: GetOverviewInput, options?: RequestOptions): Promise<Overview>;
  /** List the readable workspaces, with their size and freshness. */
  listWorkspaces(input?: ListWorkspacesInput, options?: RequestOptions): Promise<WorkspaceList>;
  /** Search pages and databases by title, or list them. */
  searchPages(input?: SearchPagesInput, options?: RequestOptions): Promise<SearchResults>;
  /** Find the page or database that a text names. */
  resolvePage(input: ResolvePageInput, options?: RequestOptions): Promise<ResolvedPages>;
  /** Search the texts of pages, with titles and properties. */
  searchTexts(input: SearchTextsInput, options?: RequestOptions): Promise<TextResults>;
  /** Gather the passages of linked pages that answer a question. */
  buildContext(input?: BuildContextInput, options?: RequestOptions): Promise<Context>;
  /** Get several pages or databases by id. */
  getPages(input: GetPagesInput, options?: RequestOptions): Promise<Nodes>;
  /** Get one page or database in detail. */
  getPage(input: GetPageInput, options?: RequestOptions): Promise<NodeDetail>;
  /** Get the text of a page as Markdown. */
  getPageContent(input: GetPageContentInput, options?: RequestOptions): Promise<Content>;
  /** List the rows of a database: filtered, sorted, with their properties.

As JSON, or as a table with `Accept: text/csv` or `Accept: text/markdown`: the id of each row, then its columns.

Example: `?where=Status = Open&where=Due < %2B7d&column=Name&sort=Due`

CSV follows RFC 4180. A text that a spreadsheet would run as a formula (it begins with `=`, `+`, `-`, `@`, a tab or a line break, possibly after apostrophes) has an apostrophe in front: take it off to have the text. */
  listRows(input: ListRowsInput, options?: RequestOptions): Promise<Rows>;
  /** List the neighbours of a page or database, nearest first. */
  listNeighbors(input: ListNeighborsInput, options?: RequestOptions): Promise<Neighbors>;
  /** List the edges among several pages and databases. */
  listEdges(input: ListEdgesInput, options?: RequestOptions): Promise<Edges>;
  /** Find the shortest paths between two pages or databases. */
  findPaths(input: FindPathsInput, options?: RequestOptions): Promise<Paths>;
  /** List what shares links with a page or database, best first. */
  getRelated(input: GetRelatedInput, options?: RequestOptions): Promise<Related>;
  /** List the tree of pages and databases. */
  listTree(input?: ListTreeInput, options?: RequestOptions): Promise<Tree>;
  /** List the ids and titles of pages on the map of a workspace, by position or by id. */
  listMapPages(input: ListMapPagesInput, options?: RequestOptions): Promise<MapNodes>;
  /** List the links to pages that are not shared or do not exist. */
  listBrokenLinks(input?: ListBrokenLinksInput, options?: RequestOptions): Promise<Broken>;
  /** List what was added, changed or removed since a cursor. */
  listChanges(input?: ListChangesInput, options?: RequestOptions): Promise<Changes>;
  /** List what was added, edited or removed lately, newest first. */
  listRecentChanges(input?: ListRecentChangesInput, options?: RequestOptions): Promise<Recent>;
  /** Describe the presented service token. */
  getPresentedToken(input?: GetPresentedTokenInput, options?: RequestOptions): Promise<PresentedToken>;
  /** Begin to add a source to the account, in this browser. */
  addSource(input: AddSourceInput, options?: RequestOptions): Promise<AddedSource>;
  /** Get whether and where people sign in, and the caller's workspaces. */
  getSignInStatus(input?: GetSignInStatusInput, options?: RequestOptions): Promise<SignInStatus>;
  /** Propose a path between two pages, for people who have asked for none. */
  proposePath(input?: ProposePathInput, options?: RequestOptions): Promise<ProposedPath>;
  /** Start a sync, or have one follow the sync that is running. */
  startSync(input: StartSyncInput, options?: RequestOptions): Promise<Workspace>;
  /** List the latest syncs: what they found, and what they could not read. */
  listSyncs(input: ListSyncsInput, options?: RequestOptions): Promise<SyncReportList>;
  /** Change whether the tags of a workspace are nodes.

With `tags: true`, tags are nodes of the type `tag`, and pages mention them. A sync follows a change, and its end shows the other graph. A source without tags answers 409. */
  changeWorkspace(input: ChangeWorkspaceInput, options?: RequestOptions): Promise<Workspace>;
  /** Disconnect the workspace and delete its graph.

The workspace's graph is deleted, and its grant is revoked at the provider. A token that the operator set is not revoked: revoke it in the provider's settings for developers. The workspace stays disconnected until the person signs in again. */
  disconnectWorkspace(input: DisconnectWorkspaceInput, options?: RequestOptions): Promise<null>;
}

/** How each operation is called. */
export const operations = {
  refreshAccessToken: { method: "POST", path: "api/auth/refresh/", hasBody: true },
  signOut: { method: "POST", path: "api/auth/logout/", hasBody: true },
  validateAccessToken: { method: "GET", path: "api/auth/validate/" },
  getMe: { method: "GET", path: "api/auth/me/" },
  deleteAccount: { method: "DELETE", path: "api/auth/me/" },
  listSessions: { method: "GET", path: "api/auth/sessions/" },
  endOtherSessions: { method: "DELETE", path: "api/auth/sessions/" },
  endSession: { method: "DELETE", path: "api/auth/sessions/{id}/" },
  listAuditTrail: { method: "GET", path: "api/audit/" },
  createServiceToken: { method: "POST", path: "api/tokens/", hasBody: true },
  listServiceTokens: { method: "GET", path: "api/tokens/" },
  rotateServiceToken: { method: "POST", path: "api/tokens/{id}/rotate/", hasBody: true },
  revokeServiceToken: { method: "DELETE", path: "api/tokens/{id}/" },
  listTokenUse: { method: "GET", path: "api/tokens/activity/" },
  getTokenActivity: { method: "GET", path: "api/tokens/{id}/activity/" },
  getAppRequest: { method: "GET", path: "api/apps/requests/{id}/" },
  approveAppRequest: { method: "POST", path: "api/apps/requests/{id}/approve/", hasBody: true },
  denyAppRequest: { method: "POST", path: "api/apps/requests/{id}/deny/" },
  getOverview: { method: "GET", path: "", isGraph: true },
  listWorkspaces: { method: "GET", path: "workspaces/", isGraph: true },
  searchPages: { method: "GET", path: "search/", isGraph: true },
  resolvePage: { method: "GET", path: "resolve/", isGraph: true },
  searchTexts: { method: "GET", path: "text/", isGraph: true },
  buildContext: { method: "GET", path: "context/", isGraph: true },
  getPages: { method: "GET", path: "nodes/", isGraph: true },
  getPage: { method: "GET", path: "nodes/{id}/", isGraph: true },
  getPageContent: { method: "GET", path: "nodes/{id}/content/", isGraph: true },
  listRows: { method: "GET", path: "nodes/{id}/rows/", isGraph: true, repeated: ["where", "column"] },
  listNeighbors: { method: "GET", path: "nodes/{id}/neighbors/", isGraph: true },
  listEdges: { method: "GET", path: "edges/", isGraph: true },
  findPaths: { method: "GET", path: "paths/", isGraph: true },
  getRelated: { method: "GET", path: "nodes/{id}/related/", isGraph: true },
  listTree: { method: "GET", path: "tree/", isGraph: true },
  listMapPages: { method: "GET", path: "workspaces/{id}/map/nodes/", isGraph: true },
  listBrokenLinks: { method: "GET", path: "broken/", isGraph: true },
  listChanges: { method: "GET", path: "changes/", isGraph: true },
  listRecentChanges: { method: "GET", path: "recent/", isGraph: true },
  getPresentedToken: { method: "GET", path: "api/v1/token/" },
  addSource: { method: "POST", path: "api/auth/sources/", hasBody: true },
  getSignInStatus: { method: "GET", path: "api/integrations/auth/provider/status" },
  proposePath: { method: "GET", path: "api/provider-graph/paths/proposed/" },
  startSync: { method: "POST", path: "api/provider-graph/workspaces/{id}/sync/" },
  listSyncs: { method: "GET", path: "api/provider-graph/workspaces/{id}/syncs/" },
  changeWorkspace: { method: "PATCH", path: "api/provider-graph/workspaces/{id}/", hasBody: true },
  disconnectWorkspace: { method: "DELETE", path: "api/provider-graph/workspaces/{id}/" },
} as const;
