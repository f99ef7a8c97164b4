import type { Connection } from "../../model/connection.ts";
import type { Database } from "../../store/port.ts";
import { allInstances, type Instance } from "../../store/queries/instances.ts";
import { ownerOf } from "./shares.ts";

/**
 * The times until which edits are in the graphs, as the instances that look say it. A process or thread that answers reads them
 * every few seconds, also where another one looks.
 */
export class EditTimes {
  readonly #database: Pick<Database, "read">;
  #instances: readonly Instance[] = [];
  /** The last answers by connection: what was known once stays known while an instance is behind. */
  readonly #told = new Map<number, number>();

  constructor({ database }: { readonly database: Pick<Database, "read"> }) {
    this.#database = database;
  }

  /** Reads what the instances have said since. */
  async refresh(): Promise<void> {
    this.#instances = await allInstances(this.#database.read);
  }

  /**
   * The time until which edits that the provider had listed are in the graph, in milliseconds since the Unix epoch: of the
   * last look without news, or of what a sync stored. null before the first complete one.
   */
  editsAsOf({
    id,
    completeAsOf,
    editsAsOf,
  }: Pick<Connection, "id" | "completeAsOf" | "editsAsOf">): number | null {
    if (completeAsOf === null && editsAsOf === null) return null;
    const stored = Math.max(completeAsOf ?? 0, editsAsOf ?? 0);
    const asOf = Math.max(stored, this.#lookedAt(id) ?? 0, this.#told.get(id) ?? 0);
    this.#told.set(id, asOf);
    return asOf;
  }

  /**
   * When an instance last looked at a connection without news; null if none says so. Each report is read by the shares that its
   * instance had then, so it holds whatever has changed since.
   */
  #lookedAt(connectionId: number): number | null {
    const owners = new Map<string, string | null>();
    let latest: number | null = null;
    for (const { id, peers, lookedAt, behind } of this.#instances) {
      if (lookedAt === null || lookedAt <= (latest ?? 0) || behind.includes(connectionId)) continue;
      const shared = peers.join();
      if (!owners.has(shared)) owners.set(shared, ownerOf(connectionId, peers));
      if (owners.get(shared) === id) latest = lookedAt;
    }
    return latest;
  }
}
