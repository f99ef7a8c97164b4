import type { Database } from "../store/port.ts";
import { findConnection, publishRevision } from "../store/queries/connections.ts";
import type { TextIndex } from "../texts/text-index.ts";

/** Milliseconds that a publication waits for the text index at most: a small part of the time between two. */
const textsWaitMs = 5_000;

interface PublicationServices {
  readonly database: Database;
  /** The text index, if this process writes it. */
  readonly texts?: Pick<TextIndex, "update"> | undefined;
}

/**
 * Publishes a connection's stored graph, and returns its version. Each process that serves it builds it when it is next asked for
 * it. Before that, the texts are indexed, within some seconds.
 */
export async function publishStored(
  { database, texts }: PublicationServices,
  connectionId: number,
): Promise<number> {
  if (texts !== undefined) {
    const connection = await findConnection(database.read, connectionId);
    // The titles of a first sync do not wait.
    if (connection?.publishedRevision === 0) void texts.update(connectionId, 0);
    else await texts.update(connectionId, textsWaitMs);
  }
  return database.record((trx) => publishRevision(trx, connectionId));
}
