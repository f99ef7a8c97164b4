import { ProviderError } from "@clew/provider";
import { openGrant } from "../../connections/grant.ts";
import type { Syncs } from "../../connections/request-sync.ts";
import { allowsWorkspace } from "../../model/allow-list.ts";
import type { RandomBytes, Sleep } from "../../model/runtime.ts";
import type { Sources } from "../../providers/sources.ts";
import { newId } from "../../secrets/new-id.ts";
import type { LookReport } from "../../store/queries/instances.ts";
import {
  connectionsToShare,
  findLookedAt,
  type LookedAt,
  type SharedConnection,
} from "../../store/queries/looks.ts";
import { type Background, repeat } from "../jobs/repeat.ts";
import type { SyncService } from "../service.ts";
import type { SyncServices } from "../steps/open-context.ts";
import type { WaitingEdits } from "../waiting-edits.ts";
import { Instances } from "./instances.ts";
import { look } from "./look.ts";
import { lookIntervalMs, nextLook, ownerOf } from "./shares.ts";

/** Milliseconds between two beats, by which the instances know of one another and of new connections. */
const beatIntervalMs = 15_000;

/** Milliseconds between two rounds, each of which begins the looks that are due. */
const roundMs = 1_000;

/** A look that takes longer is given up: the next one is soon. */
const maxLookMs = 30_000;

/** Looks under way at a time, so that little waits for the provider at once. */
const maxLooksAtOnce = 64;

/** Milliseconds after which a connection without a look counts as behind, and holds the others up no more. */
const behindAfterMs = 150_000;

/** The longest pause after which edits are read again that could not be read before. */
const maxPauseMs = 60 * 60_000;

/**
 * `quiet`: all that was listed is stored · `news`: a reading of edits was requested · `missed`: something could not be
 * compared, or could not be read lately · `busy`: a sync runs or is queued · `failed`: the provider gave no answer ·
 * `resting`: the connection is not to be looked at now.
 */
export type LookOutcome = "quiet" | "news" | "missed" | "busy" | "failed" | "resting";

export interface LooksOptions
  extends Pick<SyncServices, "database" | "secrets" | "allowed" | "storage" | "clock" | "log"> {
  /** Those that list the latest edits first. */
  readonly sources: Sources;
  readonly sync: Pick<SyncService, "request">;
  /** Requests the syncs of edits in watched sources. */
  readonly edits: Pick<WaitingEdits, "request">;
  readonly random: RandomBytes;
  /** Waits between two rounds. */
  readonly sleep?: Sleep | undefined;
  /** Called after each look. */
  readonly onLooked?: ((outcome: LookOutcome) => void) | undefined;
}

/** A connection that this instance looks at. */
interface Watched {
  /** When the next look is due. */
  dueAt: number;
  /** The look that is under way, and when it began. */
  running: { readonly controller: AbortController; readonly since: number } | null;
  /** The last look without news: by Clew's clock, and by the provider's. */
  quiet: { readonly at: number; readonly providerAt: number } | null;
  /** The news for which edits were last requested, how often, and before when they are not again. */
  asked: { readonly news: string; readonly times: number; readonly notBefore: number } | null;
}

/**
 * Looks for edits between whole listings (SYNC-11): once a minute for each connection, by one of the instances, which share
 * them without a write. A look compares a small answer with the store and keeps what it learns in memory; news is a job.
 */
export class Looks {
  readonly #options: LooksOptions;
  readonly #id: string;
  readonly #instances: Instances;
  readonly #watched = new Map<number, Watched>();
  readonly #underWay = new Set<Promise<void>>();
  #list: { readonly connections: readonly SharedConnection[]; readonly at: number } | null = null;
  #peers: readonly string[] = [];
  #beatAt = 0;
  #background: Background | null = null;

  constructor(options: LooksOptions) {
    this.#options = options;
    this.#id = newId(options.random);
    this.#instances = new Instances({ ...options, id: this.#id });
  }

  /** Looks from now on. */
  start(): void {
    const { database, log, sleep } = this.#options;
    const work = async () => {
      if (database.schemaFault() === null) await this.#round();
    };
    const onError = (err: unknown) => log.error({ err }, "failed to share the looks for edits");
    this.#background ??= repeat({ intervalMs: roundMs, work, onError, sleep });
  }

  /** Ends all looks, and leaves the connections to the other instances. */
  async stop(): Promise<void> {
    if (this.#background === null) return;
    await this.#background.stop();
    for (const { running } of this.#watched.values())
      running?.controller.abort(new Error("Clew is stopping"));
    await Promise.all(this.#underWay);
    await this.#instances.leave(this.#report()).catch((err: unknown) => {
      this.#options.log.warn({ err }, "failed to leave the looks to other instances; they take over soon");
    });
  }

  /** Begins the looks that are due, those first that are due longest, after a beat if one is. */
  async #round(): Promise<void> {
    if (this.#options.clock() >= this.#beatAt) await this.#beat();
    const now = this.#options.clock();
    const due: [number, Watched][] = [];
    for (const [id, watched] of this.#watched) {
      const { running, dueAt } = watched;
      if (running !== null && now - running.since > maxLookMs)
        running.controller.abort(new Error("The look took too long"));
      if (running === null && dueAt <= now) due.push([id, watched]);
    }
    // Looks that hang are due again soon: they must not take the turns of others.
    due.sort(([, one], [, other]) => one.dueAt - other.dueAt);
    for (const [id, watched] of due.slice(0, maxLooksAtOnce - this.#underWay.size)) {
      watched.dueAt = nextLook(id, now);
      const ended = this.#lookAt(id, watched).finally(() => this.#underWay.delete(ended));
      this.#underWay.add(ended);
    }
  }

  async #beat(): Promise<void> {
    const { database, sources, clock } = this.#options;
    const now = clock();
    this.#beatAt = now + beatIntervalMs;
    await this.#instances.beat(this.#report());
    const connections = await connectionsToShare(database.read, sources.slugs);
    this.#list = { connections, at: now };
    this.#peers = this.#instances.peers();
    this.#share(connections, now);
  }

  /** Watches the connections that fall to this instance, and no others. */
  #share(connections: readonly SharedConnection[], now: number): void {
    const { allowed } = this.#options;
    const mine = new Set(
      connections
        .filter((one) => !one.isWithdrawn && allowsWorkspace(allowed, one) && this.#isMine(one.id))
        .map(({ id }) => id),
    );
    for (const [id, { running }] of this.#watched) {
      if (mine.has(id)) continue;
      running?.controller.abort(new Error("The connection is looked at elsewhere"));
      this.#watched.delete(id);
    }
    for (const id of mine)
      if (!this.#watched.has(id))
        this.#watched.set(id, { dueAt: nextLook(id, now), running: null, quiet: null, asked: null });
  }

  #isMine(connectionId: number): boolean {
    return ownerOf(connectionId, this.#peers) === this.#id;
  }

  /** Says which connections this instance has looked at, of all that fell to it when it last read the list. */
  #report(): LookReport {
    if (this.#list === null) return { peers: [this.#id], lookedAt: null, behind: [] };
    const { connections, at } = this.#list;
    const oldest = this.#options.clock() - behindAfterMs;
    const behind: number[] = [];
    // A connection that was added since the list was read is not in it, and nothing is said of that time.
    let lookedAt = at;
    for (const { id } of connections) {
      if (!this.#isMine(id)) continue;
      const quietAt = this.#watched.get(id)?.quiet?.at ?? 0;
      if (quietAt < oldest) behind.push(id);
      else lookedAt = Math.min(lookedAt, quietAt);
    }
    return { peers: this.#peers, lookedAt, behind };
  }

  async #lookAt(id: number, watched: Watched): Promise<void> {
    const { database, clock, log, onLooked } = this.#options;
    const controller = new AbortController();
    watched.running = { controller, since: clock() };
    let outcome: LookOutcome = "failed";
    try {
      outcome = await this.#compare(id, watched, controller);
    } catch (err) {
      // The provider and the database may be away for a while; the next look is soon.
      const isExpected =
        controller.signal.aborted || err instanceof ProviderError || database.isUnavailable(err);
      if (!isExpected) log.error({ connectionId: id, err }, "failed to look for edits");
    } finally {
      watched.running = null;
    }
    onLooked?.(outcome);
  }

  async #compare(id: number, watched: Watched, controller: AbortController): Promise<LookOutcome> {
    const { database, sources, secrets, sync, edits, clock } = this.#options;
    const now = clock();
    const connection = await findLookedAt(database.read, id);
    if (connection === null || connection.knownUntil === null || this.#isFull(connection)) return "resting";
    if (isBusy(connection, now)) return "busy";
    const provider = sources.of(connection.provider);
    const reader = provider.reader(openGrant(secrets, connection).accessToken, {
      signal: controller.signal,
      // The provider's limit is for syncs: the next look is soon.
      onWait: () => controller.abort(new Error("The provider's rate limit is used up")),
    });
    try {
      const knownUntil = Math.max(connection.knownUntil, watched.quiet?.providerAt ?? 0);
      const { news, misses, at } = await look(knownUntil, { connectionId: id, database, reader });
      // Edits that a watch reports as well wait as they do for it.
      const requests = provider.watch === undefined ? sync : edits;
      if (news !== "") return await this.#requestEdits(id, watched, { news, requests });
      watched.asked = null;
      if (misses) return "missed";
      watched.quiet = { at: now, providerAt: at };
      return "quiet";
    } catch (error) {
      // A sync finds out whether the grant was withdrawn, and renews it if it can be.
      if (error instanceof ProviderError && error.code === "unauthorized")
        return this.#requestEdits(id, watched, { news: error.code, requests: sync });
      throw error;
    }
  }

  /** Has edits read; after a growing pause if they are those of the last time, which then could not be read. */
  async #requestEdits(
    id: number,
    watched: Watched,
    { news, requests }: { readonly news: string; readonly requests: Pick<Syncs, "request"> },
  ): Promise<LookOutcome> {
    const now = this.#options.clock();
    const before = watched.asked?.news === news ? watched.asked : null;
    if (before !== null && now < before.notBefore) return "missed";
    const times = (before?.times ?? 0) + 1;
    const pauseMs = Math.min(lookIntervalMs * 2 ** (times - 1), maxPauseMs);
    watched.asked = { news, times, notBefore: now + pauseMs };
    await requests.request(id, { by: "look", only: "edits" });
    return "news";
  }

  #isFull({ storedBytes }: LookedAt): boolean {
    const quota = this.#options.storage?.connectionQuota ?? 0;
    return quota > 0 && storedBytes >= quota;
  }
}

/** Whether a sync of a connection runs or is queued. One that is to begin later is neither. */
function isBusy({ worker, dueAt }: LookedAt, now: number): boolean {
  return worker !== null || (dueAt !== null && dueAt <= now);
}
