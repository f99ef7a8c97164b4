import type { NodeType } from "@clew/contract";
import type { NodeId, Reference } from "@clew/graph";
import type { Column } from "../model/column.ts";
import type { Json } from "../model/node.ts";
import type { Unsupported } from "../model/sync-report.ts";

/**
 * The service that holds people's pages. A second provider implements this interface, with `WorkspaceReader` and
 * `Webhooks`, in a folder of its own, and connect-provider.ts chooses it; nothing else may know its API. Every method that
 * calls the provider throws `ProviderError`, or the signal's reason once the signal is aborted.
 */
export interface Provider {
  /** The name in the paths of sign-in and webhooks. Users are stored under it, so it never changes. */
  readonly slug: string;
  /** Further names that paths accept. */
  readonly aliases: readonly string[];
  /** The name that people see. */
  readonly name: string;
  /** True for the demo workspace. */
  readonly standIn: boolean;
  /** True if there is no consent screen, and Clew asks for a one-time code instead (SIGN-12). */
  readonly asksForCode: boolean;
  /** The page or database that an address at the provider opens; null for any other address. */
  pageOfUrl(url: string): NodeId | null;
  /** The address of the consent screen (SIGN-1). */
  authorizationUrl(request: { state: string; redirectUri: string }): string;
  /** Exchanges an authorization code for a grant (SIGN-3). */
  exchange(request: { code: string; redirectUri: string; signal: AbortSignal }): Promise<Grant>;
  /**
   * Renews a grant. The request is sent once, because a refresh token works once: if the answer is lost, the provider
   * may have replaced the tokens already. Throws `unauthorized` if the provider rejects the refresh token.
   */
  refresh(refreshToken: string, signal: AbortSignal): Promise<RenewedGrant>;
  /** Revokes a grant at the provider. */
  revoke(accessToken: string, signal: AbortSignal): Promise<void>;
  /** Reads the pages that a grant gives access to. */
  reader(accessToken: string, options?: ReaderOptions): WorkspaceReader;
  readonly webhooks: Webhooks;
}

export interface ReaderOptions {
  /** Ends all calls of the reader. */
  readonly signal?: AbortSignal;
  /** Called when the rate limit delays a call, with the time until which it waits (milliseconds since the Unix epoch). */
  readonly onWait?: (until: number) => void;
}

/** Reads the provider's webhooks. No method throws, whatever the body is. */
export interface Webhooks {
  /** Whether the raw body was signed with the key. */
  verify(body: Uint8Array, headers: Readonly<Record<string, unknown>>, key: string): boolean;
  /** The signing key that the provider sends when webhooks are set up; null if the body has none. */
  offeredKey(body: Uint8Array): string | null;
  /** The event in a body; null if it is none. */
  event(body: Uint8Array): WebhookEvent | null;
}

/** A hint that a workspace changed. Events come late, in any order, or not at all. */
export interface WebhookEvent {
  readonly id: string;
  /** When it happened, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly workspaceId: string;
  /** Whether it may have changed the graph. */
  readonly isAboutPages: boolean;
}

/** The tokens that a person granted, and whose they are. */
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

/** The tokens that replace those of a grant. */
export type RenewedGrant = Pick<Grant, "accessToken" | "refreshToken">;

/**
 * Reads one person's share of one workspace. It keeps to the provider's rate limit and retries transient failures itself.
 */
export interface WorkspaceReader {
  /**
   * The pages and databases that the provider's search lists, the latest edit first; possibly not all of them. Lists a
   * database once for each of its data sources, and may list anything twice. Throws `malformed` after the last entry if
   * one had no readable kind or id.
   */
  search(): AsyncIterable<SearchEntry>;
  /**
   * The rows of a data source: all, or those edited at or after a time (milliseconds since the Unix epoch). Throws
   * `malformed` after the last entry if the provider does not list all rows, or one had no readable kind or id.
   */
  rows(dataSourceId: string, editedSince: number | null): AsyncIterable<ListEntry>;
  /** A page by its id. Throws `invalid` or `not_found` if the id is that of a database. */
  page(id: NodeId): Promise<ListedNode>;
  /** A database by its id, with the ids of its data sources. */
  database(id: NodeId): Promise<ListedNode>;
  /** The database of a data source, with what the data source says about it and its columns. */
  databaseOf(dataSourceId: string): Promise<ListedNode>;
  /** The parent of a block. */
  blockParent(blockId: string): Promise<ParentRef>;
  /** All values of a property whose page listed only the first ones. */
  property(pageId: NodeId, property: { id: string; name: string }): Promise<WholeProperty>;
  /** A page's text. */
  content(pageId: NodeId): Promise<PageContent>;
  /** The references in a text that `content` returned, and the children that it shows. The provider is not asked. */
  referencesIn(markdown: string): Promise<Pick<PageContent, "references" | "children">>;
  /** The titles that a text shows of other pages and databases. The provider is not asked. */
  shownTitles(markdown: string): Promise<readonly ShownTitle[]>;
  /**
   * A text with these titles in place of those that it shows, and what `referencesIn` finds in it. What shows other words
   * than a title stays. The provider is not asked.
   */
  withTitles(
    markdown: string,
    titles: ReadonlyMap<NodeId, string>,
  ): Promise<Pick<PageContent, "markdown" | "references" | "children">>;
  /** The time by the provider's clock, as its latest answer gave it, in milliseconds since the Unix epoch. */
  time(): number;
}

/** The parent of a page, database or block. A sync follows blocks up to the page that contains them. */
export type ParentRef =
  | { readonly kind: "workspace" }
  | { readonly kind: "node"; readonly id: NodeId; readonly type: NodeType }
  | { readonly kind: "block"; readonly id: string }
  | { readonly kind: "data-source"; readonly id: string; readonly databaseId: NodeId | null }
  /** Something of the provider's that is no page, such as an agent. What it contains is at the root. */
  | { readonly kind: "foreign"; readonly type: string }
  /** A type that Clew does not know. */
  | { readonly kind: "unknown"; readonly type: string };

/** A page or database that is referred to. It may not be shared. */
export interface NodeReference {
  readonly id: NodeId;
  readonly type: NodeType;
}

/** A page or database that a text shows as a child, with the title shown there. */
export interface ShownNode extends NodeReference {
  readonly name?: string;
  /** Where the text first shows it, in code points. */
  readonly offset: number;
  /** The data source of a shown database, if the text names it. A linked view has an id of its own, which says nothing. */
  readonly dataSourceId?: string;
}

/** A title of a page, database or data source, as a text shows it. */
export interface ShownTitle {
  readonly id: string;
  /** In one line and without markup; a name that stands for it if there is no title. */
  readonly title: string;
}

/** The references in a page's properties or text. */
export interface HeldReferences {
  /** A mention of a data source has the id of that data source; it stands for the database. */
  readonly references: readonly Reference[];
  /** Targets of mentions and relations whose type is known, so that they can be looked up. */
  readonly mentioned: readonly NodeReference[];
}

/** A property with only its first values, since the provider listed no more, and the references in those. */
export interface CutProperty extends HeldReferences {
  readonly id: string;
  readonly name: string;
}

/** A property whose value the answer does not give. */
export interface UnreadProperty {
  readonly name: string;
  /** Why it could not be read; null if Clew does not know its type. */
  readonly error: ProviderError | null;
}

/** All values of a property. */
export interface WholeProperty extends HeldReferences {
  readonly value: Json;
  /** Types in it that Clew does not know. If there are any, the value is unknown. */
  readonly unsupported: readonly Unsupported[];
}

/** The columns of a data source. */
interface DataSourceSchema {
  readonly dataSourceId: string;
  readonly columns: readonly Column[];
}

/** A page or database as the provider lists it. Times are milliseconds since the Unix epoch. */
export interface ListedNode extends HeldReferences {
  readonly id: NodeId;
  readonly type: NodeType;
  readonly title: string;
  /** Further names under which search finds it; Notion has none. */
  readonly aliases: readonly string[];
  /** An emoji or an https address. */
  readonly icon: string | null;
  readonly url: string | null;
  readonly parent: ParentRef;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly inTrash: boolean;
  /** Plain JSON values by property name; null for those that could not be read. */
  readonly properties: Readonly<Record<string, Json>>;
  /** Names of properties that repeat the title or the last edit. */
  readonly derivedProperties: readonly string[];
  /** Properties to fetch whole. `references` does not include theirs. */
  readonly cutProperties: readonly CutProperty[];
  /** Properties whose values this answer does not give. `references` does not include theirs. */
  readonly unreadProperties: readonly UnreadProperty[];
  readonly unsupported: readonly Unsupported[];
  /** The data sources of a database that this answer names; empty for a page. */
  readonly dataSourceIds: readonly string[];
  /** The columns of those data sources that this answer shows. */
  readonly schemas: readonly DataSourceSchema[];
}

/** A list entry that could not be read and must be looked up by its id. */
export interface UnreadableEntry {
  readonly type: "unreadable";
  readonly of: NodeType | "data-source";
  readonly id: string;
  readonly error: ProviderError;
}

/** An entry of a list; `unsupported` is one of a kind that Clew does not know. */
export type ListEntry =
  | ListedNode
  | UnreadableEntry
  | { readonly type: "unsupported"; readonly unsupported: Unsupported };

/** An entry of the search. `cut` comes last, if the provider says that it does not list everything. */
export type SearchEntry = ListEntry | { readonly type: "cut" };

/** A page's text and the references in it. */
export interface PageContent extends HeldReferences {
  readonly markdown: string;
  /** Children that the text shows. A linked database or a link to a page is shown too, but has another parent. */
  readonly children: readonly ShownNode[];
  /** The titles that the text shows of other pages and databases. */
  readonly titles: readonly ShownTitle[];
  /** False if a shared part could not be read. */
  readonly complete: boolean;
  /** Blocks that the provider's API does not give, or whose type Clew does not know. */
  readonly unsupported: readonly Unsupported[];
  /** How many parts are not shared. */
  readonly notShared: number;
}

/** Why a call failed. */
export type ProviderErrorCode =
  | "refused" // the provider rejected an authorization code or Clew's own credentials
  | "unauthorized" // the grant was withdrawn
  | "not_found" // gone, or not shared
  | "invalid" // the provider calls the request wrong
  | "rate_limited" // too many requests
  | "unavailable" // down, slow or overloaded
  | "malformed" // an answer that Clew cannot interpret
  | "unsupported_owner"; // the grant belongs to a workspace instead of a person

/** A failed call to the provider. The message is logged and shown: it holds no token, code, text or URL query. */
export class ProviderError extends Error {
  readonly code: ProviderErrorCode;
  /** Milliseconds that the provider asked Clew to wait; null if it did not. */
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
