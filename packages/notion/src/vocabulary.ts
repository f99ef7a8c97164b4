import type { ParentRef } from "@clew/provider";

/*
 * Everything that Notion's API has, and what Clew makes of it (SRC-6). The readers go by these tables, docs/notion.md prints
 * them, and a test compares them with the types of Notion's SDK.
 */

/** The kind of thing that something becomes in the graph; `none` if it is not read at all. */
type ReadAs = "page" | "database" | "link" | "mention" | "text" | "property" | "fact" | "hint" | "none";

/** How one type, field or event is read. */
export interface Reading {
  readonly as: ReadAs;
  /** The part of it that is read, or why none is, for docs/notion.md. */
  readonly how: string;
  /** True if Notion has it although its SDK does not know it. */
  readonly beyondSdk?: true;
}

type Readings = Readonly<Record<string, Reading>>;

/** How the text of a block is found: in the page's Markdown, or in the block itself where the Markdown leaves it out. */
export interface BlockReading extends Reading {
  /** True if its Markdown lacks the blocks below it, which are then listed. */
  readonly hasHiddenChildren?: true;
  readonly text: "markdown" | "address" | "page link" | "child" | "empty" | "unsupported";
}

const prose = { as: "text", text: "markdown" } as const;
const address = { as: "link", text: "address" } as const;
const media = {
  ...prose,
  how: "Its caption and its name; an address of Notion's own expires and is left out.",
};
const hidden = { as: "none", text: "empty" } as const;
const withheld = {
  as: "none",
  text: "unsupported",
  how: "Notion’s API does not give it; reports count it.",
} as const;

export const blocks = {
  paragraph: { ...prose, how: "Its text." },
  heading_1: { ...prose, how: "Its text, as a heading." },
  heading_2: { ...prose, how: "Its text, as a heading." },
  heading_3: { ...prose, how: "Its text, as a heading." },
  heading_4: { ...prose, how: "Its text, as a heading." },
  bulleted_list_item: { ...prose, how: "Its text, as an item." },
  numbered_list_item: { ...prose, how: "Its text, as an item." },
  to_do: { ...prose, how: "Its text and whether it is done." },
  toggle: { ...prose, how: "Its text and what is folded in it." },
  quote: { ...prose, how: "Its text." },
  callout: { ...prose, how: "Its text and its icon." },
  code: { ...prose, how: "Its lines, language and caption; nothing in it is a link." },
  equation: { ...prose, how: "Its TeX." },
  divider: { ...prose, how: "A line." },
  table: { ...prose, how: "Its rows." },
  table_row: { ...prose, how: "Its cells, with the links in them." },
  column_list: { ...prose, how: "What its columns contain." },
  column: { ...prose, how: "What it contains." },
  synced_block: {
    as: "mention",
    text: "markdown",
    how: "Its text; a copy mentions the page of the original.",
  },
  child_page: { as: "page", text: "child", how: "A page of its own." },
  child_database: {
    as: "database",
    text: "child",
    how: "A database of its own; a linked view mentions the database that it shows.",
  },
  link_to_page: { as: "mention", text: "page link", how: "The page or database; a comment is none." },
  bookmark: { ...address, how: "Its address, with the caption as text." },
  embed: { ...address, how: "Its address, with the caption as text." },
  link_preview: { ...address, how: "Its address." },
  image: media,
  video: media,
  pdf: media,
  file: media,
  audio: media,
  meeting_notes: {
    ...prose,
    hasHiddenChildren: true,
    how: "Title, summary and notes, then the transcript, which is marked and counts little in search and contexts.",
  },
  transcription: {
    ...prose,
    hasHiddenChildren: true,
    how: "The name of `meeting_notes` in earlier versions of the API.",
  },
  tab: { ...prose, hasHiddenChildren: true, how: "Its labels and what is below each." },
  template: { ...prose, hasHiddenChildren: true, how: "The label of the button and what it inserts." },
  breadcrumb: { ...hidden, how: "It repeats where the page is." },
  table_of_contents: { ...hidden, how: "It repeats the headings." },
  button: { ...hidden, how: "It has no text.", beyondSdk: true },
  unsupported: withheld,
  ai_block: { ...withheld, beyondSdk: true },
  form: { ...withheld, beyondSdk: true },
  drive: { ...withheld, beyondSdk: true },
} as const satisfies Readonly<Record<string, BlockReading>>;

const property = (how: string) => ({ as: "property", how }) as const;

export const properties = {
  title: { as: "fact", how: "The title; its mentions and links are links of the page." },
  rich_text: property("Its text; its mentions and links are links of the page."),
  number: property("The number, without its format."),
  checkbox: property("True or false."),
  url: { as: "link", how: "The address; that of a page is a link." },
  email: property("The address."),
  phone_number: property("The number."),
  select: property("The name of the option, without its colour."),
  status: property("The name of the option, without its group and colour."),
  multi_select: property("The names of the options."),
  date: property("Start and end, without the time zone."),
  people: property("Names of people and groups; the id where Notion gives no name."),
  files: { as: "link", how: "Names; the address of a file elsewhere, if it is that of a page, is a link." },
  relation: { as: "link", how: "Each page, as a link with the property’s name." },
  formula: property("Its result; links in it repeat others."),
  rollup: property("Its result; links in it repeat others."),
  created_time: property("The time."),
  created_by: property("The name."),
  last_edited_time: property("The time."),
  last_edited_by: property("The name."),
  unique_id: property("Prefix and number."),
  verification: property("The state; who and until when is in `verification` of the node."),
  place: property("The name, or else the address, or else the coordinates."),
  button: { as: "none", how: "It has no value." },
} as const satisfies Readings;

const unreadResult = {
  as: "none",
  how: "Notion does not give it; the property counts as not read.",
} as const;

export const formulaResults = {
  string: property("The text."),
  number: property("The number."),
  boolean: property("True or false."),
  date: property("Start and end."),
  unsupported: unreadResult,
} as const satisfies Readings;

export const rollupResults = {
  number: property("The number."),
  date: property("Start and end."),
  array: property("Each value, as that of its property."),
  incomplete: { ...property("All values are asked for."), beyondSdk: true },
  unsupported: unreadResult,
} as const satisfies Readings;

const richTexts = {
  text: { as: "text", how: "The text; its address, if it is that of a page, is a link." },
  mention: { as: "text", how: "As the mention says." },
  equation: { as: "text", how: "The TeX." },
} as const satisfies Readings;

const named = { as: "text", how: "The name that is shown." } as const;

const mentions = {
  page: { as: "mention", how: "The page." },
  database: { as: "mention", how: "The database." },
  data_source: { as: "mention", how: "Its database, in texts.", beyondSdk: true },
  link_mention: { as: "link", how: "The address, if it is that of a page." },
  link_preview: { as: "link", how: "The address, if it is that of a page." },
  user: named,
  agent: { ...named, beyondSdk: true },
  date: { as: "text", how: "The date." },
  template_mention: named,
  custom_emoji: named,
} as const satisfies Readings;

/** How the parent of a page, database, data source or block is read. */
interface ParentReading extends Reading {
  readonly kind: ParentRef["kind"];
}

const outside = {
  as: "none",
  kind: "foreign",
  how: "It is no page: what it contains is at the root.",
} as const;

export const parents = {
  workspace: { as: "fact", kind: "workspace", how: "The page is at the root." },
  page_id: { as: "page", kind: "node", how: "The page." },
  database_id: { as: "database", kind: "node", how: "The database." },
  data_source_id: { as: "database", kind: "collection", how: "The database that has it." },
  block_id: { as: "page", kind: "block", how: "The page that has the block, which is looked up." },
  agent_id: outside,
  space_id: { ...outside, beyondSdk: true },
} as const satisfies Readonly<Record<string, ParentReading>>;

const icons = {
  emoji: { as: "fact", how: "The emoji." },
  external: { as: "fact", how: "The address." },
  file: { as: "none", how: "Its address expires." },
  custom_emoji: { as: "fact", how: "The address, unless it expires." },
  icon: { as: "none", how: "Only Notion can show it." },
} as const satisfies Readings;

const fact = (how: string) => ({ as: "fact", how }) as const;
const unused = (how: string) => ({ as: "none", how }) as const;

/** Fields that pages, databases and data sources have. */
const common = {
  object: fact("What it is."),
  id: fact("The id."),
  parent: fact("The parent."),
  created_time: fact("`created_at`, to the minute."),
  last_edited_time: fact("`updated_at`, to the minute."),
  in_trash: fact("What is in the trash is removed."),
  archived: fact("The name of `in_trash` in earlier versions of the API."),
  url: fact("The address."),
  public_url: unused("Clew links to `url`."),
  icon: fact("See *Icons*."),
  cover: unused("A picture, whose address expires."),
} as const;

const pageFields = {
  ...common,
  properties: { as: "property", how: "See *Properties*." },
  created_by: fact("`created_by`; its name comes from the list of users."),
  last_edited_by: fact("`edited_by`; its name comes from the list of users."),
  is_archived: fact("`is=archived`. The page stays in all lists."),
  is_locked: unused("It says nothing of the content."),
} as const satisfies Readings;

const titled = {
  title: fact("The title; its mentions and links are links of the database."),
  description: {
    as: "text",
    how: "The text of the database; its mentions and links are links of the database.",
  },
  is_inline: unused("It says where the database is shown."),
} as const;

const databaseFields = {
  ...common,
  ...titled,
  data_sources: fact("The data sources, whose rows and columns are those of the database."),
  is_locked: unused("It says nothing of the content."),
} as const satisfies Readings;

const dataSourceFields = {
  ...common,
  ...titled,
  parent: fact("The database, which stands for it."),
  database_parent: fact("The parent of the database."),
  properties: fact("Columns: name, type, options and description."),
  created_by: fact("`created_by` of the database."),
  last_edited_by: fact("`edited_by` of the database."),
} as const satisfies Readings;

const changed = {
  as: "hint",
  how: "The page is looked up, and its text read again if it was edited.",
} as const;
const schema = { as: "hint", how: "The database is looked up." } as const;
const silent = { as: "none", how: "Nothing that Clew reads has changed." } as const;
const comment = { as: "none", how: "Comments are not read." } as const;

export const events = {
  "page.created": changed,
  "page.content_updated": changed,
  "page.properties_updated": changed,
  "page.moved": changed,
  "page.deleted": { as: "hint", how: "The page is looked up, and removed if it is gone or in the trash." },
  "page.undeleted": changed,
  "page.locked": silent,
  "page.unlocked": silent,
  "page.transcription_block.transcript_deleted": changed,
  "database.created": schema,
  "database.content_updated": schema,
  "database.schema_updated": schema,
  "database.moved": schema,
  "database.deleted": schema,
  "database.undeleted": schema,
  "data_source.created": schema,
  "data_source.content_updated": schema,
  "data_source.schema_updated": schema,
  "data_source.moved": schema,
  "data_source.deleted": schema,
  "data_source.undeleted": schema,
  "comment.created": comment,
  "comment.updated": comment,
  "comment.deleted": comment,
  "view.created": silent,
  "view.updated": silent,
  "view.deleted": silent,
  "file_upload.created": silent,
  "file_upload.completed": silent,
  "file_upload.expired": silent,
  "file_upload.upload_failed": silent,
} as const satisfies Readings;

/** The parts of the API, by their names in the SDK's client. */
const services = {
  search: { as: "page", how: "Lists pages and databases, the latest edit first." },
  pages: { as: "page", how: "Pages, their Markdown and long properties." },
  databases: { as: "database", how: "Databases." },
  dataSources: { as: "database", how: "Columns and rows. Templates of rows are not read." },
  blocks: { as: "text", how: "Blocks that the Markdown of a page leaves out." },
  users: {
    as: "fact",
    how: "The person or bot of a token; the names of authors: members and bots by one list, guests one by one, at most 100 in a sync.",
  },
  oauth: { as: "fact", how: "Grants: exchange, renewal and revocation." },
  comments: {
    as: "none",
    how: "Discussions need a capability of their own, and are no part of a page’s text.",
  },
  views: { as: "none", how: "They show rows that the database has anyway." },
  agents: { as: "none", how: "Custom agents are no pages." },
  customEmojis: { as: "none", how: "Pages name theirs." },
  fileUploads: { as: "none", how: "Clew only reads." },
  asyncTasks: { as: "none", how: "Clew starts none." },
  sessions: { as: "none", how: "Clew starts none." },
  request: { as: "none", how: "Clew calls named endpoints only." },
} as const satisfies Readings;

/** All tables, for docs/notion.md. */
export const vocabulary = {
  blocks,
  properties,
  formulaResults,
  rollupResults,
  richTexts,
  mentions,
  parents,
  icons,
  pageFields,
  databaseFields,
  dataSourceFields,
  events,
  services,
};

/** The reading of a type; undefined if the table lacks it. */
export function readingOf<Entry extends Reading>(
  table: Readonly<Record<string, Entry>>,
  type: string,
): Entry | undefined {
  return Object.hasOwn(table, type) ? table[type] : undefined;
}
