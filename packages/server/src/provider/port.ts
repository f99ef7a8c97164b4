import type { NodeType } from "@clew/contract";
import type { NodeId, Reference } from "@clew/graph";
import type { Json } from "../model/node.ts";
import type { Unsupported } from "../model/sync-report.ts";

/** What a provider must do for Clew: vouch for a person, and let Clew read what that person shared. */
export interface Provider {
  /** The word that may stand for `provider` in paths, and under which users are kept. */
  readonly slug: string;
  /** Other words that may stand for `provider` in paths. */
  readonly aliases: readonly string[];
  /** The name for a button. */
  readonly name: string;
  /** True for the workspace that Clew brings along. */
  readonly standIn: boolean;
  /** True where Clew itself asks for a one-time code, because there is no consent screen (SIGN-12). */
  readonly asksForCode: boolean;
  /** Where the consent screen is (SIGN-1). */
  authorizationUrl(request: { state: string; redirectUri: string }): string;
  /** Exchanges an authorization code for a grant (SIGN-3). Throws `ProviderError`. */
  exchange(request: { code: string; redirectUri: string; signal: AbortSignal }): Promise<Grant>;
  /**
   * Renews a grant with its refresh token, which is used up by that. It is sent once: where the answer is lost or the
   * signal aborted, the provider may have replaced the tokens all the same. Throws `ProviderError`, `unauthorized`
   * where the provider does not accept the refresh token (any more).
   */
  refresh(refreshToken: string, signal: AbortSignal): Promise<RenewedGrant>;
  /** Gives a grant back. Throws `ProviderError`. */
  revoke(accessToken: string, signal: AbortSignal): Promise<void>;
  /**
   * Reads the pages that a grant opens. `onWait` is told each time the provider's rate limit makes the reader
   * wait, and until when (milliseconds since the Unix epoch).
   */
  reader(accessToken: string, onWait?: (until: number) => void): WorkspaceReader;
  readonly webhooks: Webhooks;
}

/** Reads what a provider sends by itself. Nothing here throws, whatever it is given. */
export interface Webhooks {
  /** Whether the raw body was signed with the key. */
  verify(body: Uint8Array, headers: Readonly<Record<string, unknown>>, key: string): boolean;
  /** The key that the provider hands over when webhooks are set up; null where the body is something else. */
  offeredKey(body: Uint8Array): string | null;
  /** The event that a body tells; null where it is none. */
  event(body: Uint8Array): WebhookEvent | null;
}

/** Something happened in a workspace: a hint to look, since events come late, in any order, or not at all. */
export interface WebhookEvent {
  readonly id: string;
  /** When it happened, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly workspaceId: string;
  /** Whether it may have changed the graph. */
  readonly isAboutPages: boolean;
}

/** What a person granted, and who they are. */
export interface Grant {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly botId: string;
  readonly workspace: { readonly id: string; readonly name: string | null; readonly icon: string | null };
  readonly person: {
    readonly id: string;
    readonly name: string | null;
    readonly email: string | null;
    readonly avatarUrl: string | null;
  };
}

/** The tokens that take the place of those of before. */
export type RenewedGrant = Pick<Grant, "accessToken" | "refreshToken">;

/** Where a page hangs. A block is climbed to its page before it becomes a node's parent. */
export type ParentRef =
  | { readonly kind: "workspace" }
  | { readonly kind: "node"; readonly id: NodeId; readonly type: NodeType }
  | { readonly kind: "block"; readonly id: string }
  | { readonly kind: "data-source"; readonly id: string; readonly databaseId: NodeId | null }
  /** In something of a type that is new to Clew. */
  | { readonly kind: "unknown"; readonly type: string };

/** A page or database that something names, and that may not be shared. */
export interface NodeReference {
  readonly id: NodeId;
  readonly type: NodeType;
}

/** A page or database that a text shows as its own, and what it calls it. */
export interface ShownNode extends NodeReference {
  readonly name?: string;
}

/** The references that a page's properties or text hold. */
export interface HeldReferences {
  /** A mention of a data source names that source; it means the database that the source folds into. */
  readonly references: readonly Reference[];
  /** Targets of mentions and relations, whose kind the provider tells, so that they can be looked up. */
  readonly mentioned: readonly NodeReference[];
}

/** A property of which a page shows the first values alone, with the references in those. */
export interface CutProperty extends HeldReferences {
  readonly id: string;
  readonly name: string;
}

/** A property of which a page's answer does not tell the value. */
export interface UnreadProperty {
  readonly name: string;
  /** Why it cannot be read; null where its type, or that of its result, is new to Clew. */
  readonly error: ProviderError | null;
}

/** The whole of a property that was cut short. */
export interface WholeProperty extends HeldReferences {
  readonly value: Json;
  /** What in it is new to Clew: then its value is not known. */
  readonly unsupported: readonly Unsupported[];
}

/** A page or database as the provider lists it. Times are milliseconds since the Unix epoch. */
export interface ListedNode extends HeldReferences {
  readonly id: NodeId;
  readonly type: NodeType;
  readonly title: string;
  /** Other names under which people look for it; none at Notion. */
  readonly aliases: readonly string[];
  readonly icon: string | null;
  readonly url: string | null;
  readonly parent: ParentRef;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly inTrash: boolean;
  /** Property name to plain JSON value; null for those that are not read. */
  readonly properties: Readonly<Record<string, Json>>;
  /** Properties that the provider cut short and that must be paged through; `references` has none of theirs. */
  readonly cutProperties: readonly CutProperty[];
  /** Properties whose values are not known from this answer; `references` has none of theirs. */
  readonly unreadProperties: readonly UnreadProperty[];
  /** What in it is new to Clew. */
  readonly unsupported: readonly Unsupported[];
  /** The sources of rows that fold into a database, as far as the listing names them; empty for a page. */
  readonly dataSourceIds: readonly string[];
}

/** Something that a list holds and that cannot be read there: it is to be looked up. */
export interface UnreadableEntry {
  readonly type: "unreadable";
  readonly of: NodeType | "data-source";
  readonly id: string;
  readonly error: ProviderError;
}

/** Something that a list holds and that is of a kind that is new to Clew. */
interface UnsupportedEntry {
  readonly type: "unsupported";
  readonly unsupported: Unsupported;
}

/** What a list of the provider's holds. */
export type ListEntry = ListedNode | UnreadableEntry | UnsupportedEntry;

/** What search lists; last, where it says that there is more than it lists, that it is cut. */
export type SearchEntry = ListEntry | { readonly type: "cut" };

/** A page's text with the references in it. */
export interface PageContent extends HeldReferences {
  readonly markdown: string;
  /**
   * Pages and databases that the text shows as its own. Most hang here; one that hangs elsewhere is shown by
   * reference: a linked database, a link to a page.
   */
  readonly children: readonly ShownNode[];
  /** False where a part that was shared could not be read. */
  readonly complete: boolean;
  /** Blocks that the provider cannot show, or that are new to Clew. */
  readonly unsupported: readonly Unsupported[];
  /** How many parts were not shared. */
  readonly notShared: number;
}

/**
 * Reads one person's share of one workspace. Waits out the provider's rate limit and its short failures by itself.
 * Every method may throw `ProviderError`, and throws the signal's reason once it is aborted.
 */
export interface WorkspaceReader {
  /**
   * All pages and databases that the provider's search lists, the latest edit first. Not guaranteed complete.
   * A database is listed once for each of its data sources, and anything may be listed twice. Throws `nonsense` at the
   * end where an entry says not even what it is.
   */
  search(signal: AbortSignal): AsyncIterable<SearchEntry>;
  /**
   * The rows of one data source of a database: all, or those edited at or after a time, in milliseconds since the
   * Unix epoch. Throws `nonsense` at the end where the provider withholds some, or one says not even what it is.
   */
  rows(dataSourceId: string, editedSince: number | null, signal: AbortSignal): AsyncIterable<ListEntry>;
  /** One page by its id. Throws `invalid` or `not_found` where the id is a database's. */
  page(id: NodeId, signal: AbortSignal): Promise<ListedNode>;
  /** One database by its id, its data sources folded into it. */
  database(id: NodeId, signal: AbortSignal): Promise<ListedNode>;
  /** The database that a data source folds into, as far as the source tells. */
  databaseOf(dataSourceId: string, signal: AbortSignal): Promise<ListedNode>;
  /** The parent of a block, for climbing to a page. */
  blockParent(blockId: string, signal: AbortSignal): Promise<ParentRef>;
  /** The whole of a property that was cut short: its plain value and the references in it. */
  property(
    pageId: NodeId,
    property: { id: string; name: string },
    signal: AbortSignal,
  ): Promise<WholeProperty>;
  /** Now, by the provider's clock as its latest answer told it, in milliseconds since the Unix epoch. */
  time(): number;
  /** A page's text. */
  content(pageId: NodeId, signal: AbortSignal): Promise<PageContent>;
}

/**
 * What can go wrong at the provider.
 * `refused`: it said no to a code or a credential of ours · `unauthorized`: the grant is withdrawn ·
 * `not_found`: gone, or not shared · `invalid`: it calls the request faulty · `rate_limited`: wait ·
 * `unavailable`: down, slow or overloaded · `nonsense`: an answer that makes no sense ·
 * `unsupported_owner`: a workspace's bot instead of a person.
 */
export type ProviderErrorCode =
  | "refused"
  | "unauthorized"
  | "not_found"
  | "invalid"
  | "rate_limited"
  | "unavailable"
  | "nonsense"
  | "unsupported_owner";

/** A failed call to the provider. The message holds no token, code or URL query. */
export class ProviderError extends Error {
  readonly code: ProviderErrorCode;
  /** Milliseconds that the provider asked us to wait, where it did. */
  readonly retryAfter: number | null;

  constructor(
    code: ProviderErrorCode,
    message: string,
    options: { retryAfter?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "ProviderError";
    this.code = code;
    this.retryAfter = options.retryAfter ?? null;
  }
}
