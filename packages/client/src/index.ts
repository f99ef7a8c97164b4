/** A client of Clew for browsers, Node, Deno and Bun. It uses nothing but the web's own interfaces. */
export type * from "./api.ts";
export { type Client, createClient, type ListItem, type ListOperation } from "./client.ts";
export { isConfidential } from "./confidential.ts";
export { ClewError, ConnectionError, IncompleteExportError, ResponseError } from "./errors.ts";
export type { ExportItem } from "./export-lines.ts";
export type { RequestOptions } from "./options.ts";
export type { ClientOptions } from "./transport.ts";
