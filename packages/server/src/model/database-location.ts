import { describeAddress, parsePostgresUrl } from "./postgres-address.ts";

/** The place of a database: a file, or a database on a PostgreSQL server. */
export type DatabaseLocation =
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: string };

const sqliteScheme = "sqlite:";

/** Reads a location as DATABASE_URL has it: `sqlite:` and a path, or a PostgreSQL URL. */
export function parseLocation(text: string): DatabaseLocation {
  if (!text.startsWith(sqliteScheme)) return { kind: "postgres", url: text };
  return { kind: "sqlite", path: text.slice(sqliteScheme.length) };
}

/** The text that `parseLocation` reads. It holds the password. */
export function formatLocation(location: DatabaseLocation): string {
  return location.kind === "sqlite" ? sqliteScheme + location.path : location.url;
}

/** Names a database for logs and errors, without a password. */
export function describeLocation(location: DatabaseLocation): string {
  return location.kind === "sqlite" ? location.path : describeAddress(parsePostgresUrl(location.url));
}
