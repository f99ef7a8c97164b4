import type { Author, NodeId } from "@clew/graph";
import type {
  ListEntry,
  ListedNode,
  NamedObject,
  PageContent,
  ParentRef,
  SearchEntry,
  ShownTitle,
  SourceReport,
  WholeProperty,
} from "./nodes.ts";

/**
 * The service that holds people's pages. A second provider implements this interface, with `WorkspaceReader`, `TextReader`
 * and `Webhooks`, in a package of its own, and connect-provider.ts chooses it; nothing else may know its API. Every method
 * that calls the provider throws `ProviderError`, or the signal's reason once the signal is aborted. Ids of pages,
 * databases, collections and blocks are UUIDs; ids of people, workspaces and grants are any text.
 */
export interface Provider {
  /** The name in the paths of sign-in and webhooks. Connections are stored under it, so it never changes. */
  readonly slug: string;
  /**
   * The name under which its people are stored, so it never changes. Providers with the same name have the same people:
   * who connects two of them is one user with two connections.
   */
  readonly people: string;
  /** Further names that paths accept. */
  readonly aliases: readonly string[];
  /** The name with which people sign in: "Sign in with Example". */
  readonly name: string;
  /** The name that agents and people give to the pages: "an Example page", "the Example knowledge base". */
  readonly product: string;
  /** True for the demo workspace. */
  readonly standIn: boolean;
  /** The name of the folder that the demo workspace serves instead of its sample; null or absent otherwise. */
  readonly folder?: string | null;
  /** How the operator connects a workspace instead of the demo; null if one is connected. */
  readonly setup: SetupGuide | null;
  /** Whether the pages have tags that can be nodes (SRC-4), which `ReaderOptions.tags` asks for. */
  readonly hasTags: boolean;
  /** Whether search lists the latest edit first, so that Clew can look for edits between whole listings (SYNC-11). */
  readonly sortsByEdit: boolean;
  /** True if there is no consent screen, and Clew asks for a one-time code instead (SIGN-12). */
  readonly asksForCode: boolean;
  /**
   * The page or database that an address at the provider opens; null for any other address.
   *
   * @example
   * provider.pageOfUrl("https://pages.example/Guides-0192f5c47d6b7000a1b2c3d4e5f60718"); // "0192f5c4-7d6b-7000-…"
   */
  pageOfUrl(url: string): NodeId | null;
  /** The address of the consent screen (SIGN-1). The provider returns `state` unchanged to `redirectUri`. */
  authorizationUrl(request: { state: string; redirectUri: string }): string;
  /**
   * Exchanges an authorization code for a grant (SIGN-3).
   *
   * @example
   * const grant = await provider.exchange({ code, redirectUri, signal: AbortSignal.timeout(8_000) });
   */
  exchange(request: { code: string; redirectUri: string; signal: AbortSignal }): Promise<Grant>;
  /**
   * Renews a grant. The request is sent once, because a refresh token works once: if the answer is lost, the provider
   * may have replaced the tokens already. Throws `unauthorized` if the provider rejects the refresh token.
   */
  refresh(refreshToken: string, signal: AbortSignal): Promise<RenewedGrant>;
  /** Revokes a grant at the provider. */
  revoke(accessToken: string, signal: AbortSignal): Promise<void>;
  /**
   * Reads the pages that a grant gives access to. Makes no call before a method of the reader is called.
   *
   * @example
   * const reader = provider.reader(grant.accessToken, { signal });
   * for await (const entry of reader.search()) if (entry.type === "page") await reader.content(entry.id);
   */
  reader(accessToken: string, options?: ReaderOptions): WorkspaceReader;
  readonly webhooks: Webhooks;
  /**
   * Reports what changes in the provider's workspaces until it is stopped, for a provider without webhooks that can see it.
   * A change is a hint, as an event of a webhook is: the caller looks up what it names.
   *
   * @example
   * const watching = provider.watch?.(({ workspaceId, changed }) => requestSyncs(workspaceId, changed));
   */
  watch?(onChange: (change: Change) => void): Watching;
}

/** A change in a workspace. */
export interface Change {
  readonly workspaceId: string;
  /** The pages, databases and collections that have changed, or are gone; null if they are too many to name. */
  readonly changed: readonly NamedObject[] | null;
  /** Whether nothing is known to have changed, but may have: the watch begins, for the first time or again. */
  readonly isBeginning: boolean;
}

/** A watch that is under way. */
export interface Watching {
  /** Ends it. No change is reported after it has resolved. */
  stop(): Promise<void>;
}

/** How the operator connects Clew to a provider, for the sign-in page of the demo workspace. */
export interface SetupGuide {
  /** The provider's name. */
  readonly name: string;
  /** Sentences, in the order in which they are done. */
  readonly steps: readonly string[];
}

export interface ReaderOptions {
  /**
   * Whether tags are nodes: search lists all of them, the parents of nested ones included, and `references` of a node has a
   * mention of each of its tags. False by default; only for a provider that `hasTags`.
   */
  readonly tags?: boolean;
  /** Ends all calls of the reader. */
  readonly signal?: AbortSignal;
  /** Called when the rate limit delays a call, with the time until which it waits (milliseconds since the Unix epoch). */
  readonly onWait?: (until: number) => void;
}

/** Reads the provider's webhooks. No method throws, whatever the body is. A provider without webhooks returns false and null. */
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
  /** The page, database or collection that has changed; null if the event does not say. */
  readonly changed: NamedObject | null;
}

/** The tokens that a person granted, and whose they are. */
export interface Grant {
  /** The provider's id of this grant, by which an operator finds it there. It is stored and never used. */
  readonly id: string;
  readonly accessToken: string;
  readonly refreshToken: string | null;
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
 * A sync calls up to four methods at a time.
 */
export interface WorkspaceReader {
  /**
   * Lists the pages and databases that the provider's search finds, the latest edit first if the provider `sortsByEdit`;
   * possibly not all of them. May list anything twice, and a database once for each of its collections. Throws `malformed`
   * after the last entry if one had no readable kind or id. With `few`, the first answer is small: the caller expects to
   * stop soon.
   *
   * @example
   * for await (const entry of reader.search()) {
   *   if (entry.type === "cut") break; // the provider lists no more than this
   * }
   */
  search(options?: { readonly few?: boolean }): AsyncIterable<SearchEntry>;
  /**
   * Lists what was put into the trash lately, in one answer; the latest first if the provider `sortsByEdit`. Absent if the provider
   * has no such list: what is gone is then noticed when it is no longer listed.
   */
  trashed?(): AsyncIterable<ListEntry>;
  /**
   * Lists the rows of a collection: all, or those edited at or after a time (milliseconds since the Unix epoch). Throws
   * `malformed` after the last entry if the provider does not list all rows, or one had no readable kind or id, and
   * `not_found` if the collection is gone or not shared.
   *
   * @example
   * for await (const row of reader.rows(collectionId, Date.parse("2026-01-31T00:00:00Z"))) { … }
   */
  rows(collectionId: string, editedSince: number | null): AsyncIterable<ListEntry>;
  /** Looks up a page or a tag. Throws `not_found` if it is gone or not shared, and `invalid` or `not_found` for a database's id. */
  page(id: NodeId): Promise<ListedNode>;
  /** Looks up a database, with the ids of all of its collections. Throws `not_found` if it is gone or not shared. */
  database(id: NodeId): Promise<ListedNode>;
  /** Looks up the database of a collection, with the columns of that collection. */
  databaseOf(collectionId: string): Promise<ListedNode>;
  /**
   * Says what `database` knows better than a list that showed a database: nothing, its title and aliases, or all but the
   * columns. `collectionIds` are all that Clew knows of the database. The provider is not asked.
   *
   * @example
   * missingFacts: () => "none", // for a provider that lists databases as they are
   */
  missingFacts(listed: ListedNode, collectionIds: ReadonlySet<string>): "none" | "title" | "all";
  /** Looks up the parent of a block. Called only for ids that came as a `ParentRef` of the kind `block`. */
  parentOfBlock(blockId: string): Promise<ParentRef>;
  /** Reads all values of a property that is in `partial.cut` of its page. */
  property(pageId: NodeId, property: { id: string; name: string }): Promise<WholeProperty>;
  /**
   * Reads a page's text, in the Markdown of docs/markdown.md, and finds the references in it.
   *
   * @example
   * const { markdown, references } = await reader.content(pageId);
   * // markdown: "See [Guides](https://pages.example/Guides-0192f5c4…)."
   * // references: [{ type: "link", targetId: "0192f5c4-…", name: null, count: 1, offsets: [4] }]
   */
  content(pageId: NodeId): Promise<PageContent>;
  readonly texts: TextReader;
  /**
   * Lists the people and programs that may be authors of nodes, with their names. Absent if the provider has no authors, or always
   * gives their names. Throws `refused` if the grant does not permit it.
   */
  authors?(): AsyncIterable<Author>;
  /**
   * The author with this id, whom `authors` may leave out; the name is null if the provider does not tell it. Absent if the provider
   * cannot be asked for one. Throws `refused` if the grant does not permit it.
   */
  author?(id: string): Promise<Author>;
  /** Says how the workspace is read and what is left out, for the report of a sync. */
  report?(): Promise<SourceReport>;
  /** The time by the provider's clock, as its latest answer gave it, in milliseconds since the Unix epoch. */
  time(): number;
  /**
   * Whether edits shortly after one another may have the same time, so that a text that was read soon after its edit is read
   * again (SYNC-7). Otherwise each edit of a page is later than the one before.
   */
  readonly roundsEditTimes: boolean;
}

/** Reads texts that `content` returned. The provider is not asked. */
export interface TextReader {
  /** Finds the references in a text, and the children that it shows. */
  referencesIn(markdown: string): Promise<FoundInText>;
  /** Finds the titles that a text shows of other pages and databases. */
  titlesIn(markdown: string): Promise<readonly ShownTitle[]>;
  /**
   * Replaces the titles that a text shows by these, and finds the references in the result. References with other words
   * than a title stay.
   *
   * @example
   * const { markdown } = await texts.withTitles(text, new Map([["0192f5c4-…", "Handbook"]]));
   */
  withTitles(
    markdown: string,
    titles: ReadonlyMap<NodeId, string>,
  ): Promise<FoundInText & Pick<PageContent, "markdown">>;
}

type FoundInText = Pick<PageContent, "references" | "children">;
