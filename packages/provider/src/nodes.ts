import type { ColumnType, NodeType } from "@clew/contract";
import type { Author, NodeId, Reference } from "@clew/graph";
import type { ProviderError } from "./errors.ts";

/*
 * The facts that a provider gives about a workspace. Times are milliseconds since the Unix epoch.
 */

/** A plain JSON value, such as the value of a property. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export function isJsonList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** A type that Clew does not know or the provider cannot show: its kind, and the provider's name of the type. */
export interface Unsupported {
  readonly kind: "object" | "parent" | "property" | "block";
  readonly type: string;
}

/** A page, database or tag that is referred to. It may not be shared. */
export interface NodeReference {
  readonly id: NodeId;
  readonly type: NodeType;
}

/**
 * The parent of a page, database or block. A sync follows blocks and collections up to the page or database that has them.
 *
 * @example
 * { kind: "node", id: "0192…", type: "page" } // below a page
 * { kind: "collection", id: "0193…", databaseId: null } // a row, of a database that the answer does not name
 */
export type ParentRef =
  | { readonly kind: "workspace" }
  | { readonly kind: "node"; readonly id: NodeId; readonly type: NodeType }
  /** A part of a page that has an id, such as a column of its text. */
  | { readonly kind: "block"; readonly id: string }
  | { readonly kind: "collection"; readonly id: string; readonly databaseId: NodeId | null }
  /** Something of the provider's that is no page, such as an agent. What it contains is at the root. */
  | { readonly kind: "foreign"; readonly type: string }
  /** A type that Clew does not know. */
  | { readonly kind: "unknown"; readonly type: string };

/** A column of a database. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** The names of its options, in their order; empty for types that have none. */
  readonly options: readonly string[];
  /** Absent if it has none. */
  readonly description?: string;
}

/**
 * Rows that have the same columns. Each belongs to one database; a database has one or more. If the provider's databases
 * have no such parts, each has one collection, which may have the id of the database.
 */
export interface Collection {
  readonly id: string;
  /** Null if the answer does not show them. */
  readonly columns: readonly Column[] | null;
}

/** The references in a page's properties or text. */
export interface HeldReferences {
  /** A mention of a collection has the id of that collection; it stands for the database. */
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

/** The properties of a node that an answer does not give in full, or gives twice. */
export interface PartialProperties {
  /** Properties to fetch whole with `property`. The node's `references` does not include theirs. */
  readonly cut: readonly CutProperty[];
  /** Properties without a value in this answer. The node's `references` does not include theirs. */
  readonly unread: readonly UnreadProperty[];
  /** Names of properties that repeat the title or the last edit. */
  readonly repeated: readonly string[];
}

/** All values of a property. */
export interface WholeProperty extends HeldReferences {
  readonly value: Json;
  /** Types in it that Clew does not know. If there are any, the value is unknown. */
  readonly unsupported: readonly Unsupported[];
  /** The title of the page, if this is the property that has it. */
  readonly title?: string;
}

/** The mark of a page for whose content somebody vouches. */
export interface Verification {
  /** `expired` if the time is over. */
  readonly state: "verified" | "expired";
  readonly by: Author | null;
  /** From when and until when, as ISO 8601 dates or times; null for an open end. */
  readonly since: string | null;
  readonly until: string | null;
}

/** A page, database or tag as the provider lists it. A tag has neither text nor properties. */
export interface ListedNode extends HeldReferences {
  /** A UUID, lower-case with dashes, that stays with the node. A provider with other ids derives one from each. */
  readonly id: NodeId;
  readonly type: NodeType;
  /** In one line, without markup; empty if there is none. */
  readonly title: string;
  /** Further names under which search finds it, such as a file name; empty for most providers. */
  readonly aliases: readonly string[];
  /** An emoji or an https address. */
  readonly icon: string | null;
  readonly url: string | null;
  readonly parent: ParentRef;
  readonly createdAt: number;
  /** It grows with every edit of the text, title or properties. An incremental sync reads the text again only then. */
  readonly updatedAt: number;
  readonly inTrash: boolean;
  /** Who made it and who edited it last; absent if the provider does not say. Names that are null come from `WorkspaceReader.authors`. */
  readonly createdBy?: Author;
  readonly editedBy?: Author;
  /** Whether people have put it aside; absent if the provider has no such state. */
  readonly isArchived?: boolean;
  /** Of a database: its text, in the Markdown of docs/markdown.md; `references` has those in it. */
  readonly description?: string;
  /** Null or absent if nobody has vouched for it. */
  readonly verification?: Verification | null;
  /** Plain JSON values by property name; null for those that could not be read. */
  readonly properties: Readonly<Record<string, Json>>;
  readonly partial: PartialProperties;
  readonly unsupported: readonly Unsupported[];
  /** The collections of a database that this answer names; empty for a page. */
  readonly collections: readonly Collection[];
}

/** A page, database or collection of which nothing but its id is known. */
export interface NamedObject {
  readonly of: NodeType | "collection";
  readonly id: string;
}

/** A list entry that could not be read and must be looked up by its id. */
export interface UnreadableEntry extends NamedObject {
  readonly type: "unreadable";
  readonly error: ProviderError;
}

/** An entry of a list; `unsupported` is one of a kind that Clew does not know. */
export type ListEntry =
  | ListedNode
  | UnreadableEntry
  | { readonly type: "unsupported"; readonly unsupported: Unsupported };

/** An entry of the search. `cut` comes last, if the provider says that it does not list everything. */
export type SearchEntry = ListEntry | { readonly type: "cut" };

/** A page or database that a text shows as a child, with the title shown there. */
export interface ShownNode extends NodeReference {
  readonly name?: string;
  /** The first place where the text shows it, in code points. */
  readonly offset: number;
  /** The collection of a shown database, if the text names it. A linked view has an id of its own, which says nothing. */
  readonly collectionId?: string;
}

/** A title of a page, database or collection, as a text shows it. A collection alone in its database has its title. */
export interface ShownTitle {
  readonly id: string;
  /** In one line and without markup; a name that stands for it if there is no title. */
  readonly title: string;
}

/** The facts of a whole reading besides the pages: how they were read, and which files were left out. */
export interface SourceReport {
  /** The tool by whose rules links were read, such as `Obsidian`; null if the provider has only one way. */
  readonly dialect: string | null;
  /** Files that are no pages and were not read, by ending or kind, the most frequent first. */
  readonly unread: readonly { readonly type: string; readonly count: number }[];
  /** Files that were left out, or read only in part, and why. */
  readonly named: readonly { readonly path: string; readonly message: string }[];
}

/** A page's text and the references in it. */
export interface PageContent extends HeldReferences {
  /** In the Markdown of docs/markdown.md. */
  readonly markdown: string;
  /** Children that the text shows. A linked database or a link to a page is shown too, but has another parent. */
  readonly children: readonly ShownNode[];
  /** The titles that the text shows of other pages and databases. */
  readonly titles: readonly ShownTitle[];
  /** False if a shared part could not be read. */
  readonly complete: boolean;
  /** Why the text was cut while it was read, in words for its owner; null or absent if the provider left the part out. */
  readonly cut?: string | null;
  /** Blocks that the provider cannot show, or whose type Clew does not know. */
  readonly unsupported: readonly Unsupported[];
  /** The number of parts that are not shared. */
  readonly notShared: number;
}
