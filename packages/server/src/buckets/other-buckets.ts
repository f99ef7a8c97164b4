import type { RequestListener } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import type { DocumentNetwork } from "../auth/apps/document-network.ts";
import { Sessions } from "../auth/sessions.ts";
import type { Config } from "../config/config.ts";
import type { GraphFiles } from "../graphs/graph-files.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { type DatabaseLocation, describeLocation } from "../model/database-location.ts";
import type { ServedFolder } from "../model/folders.ts";
import type { Clock, ObserveCache, RandomBytes } from "../model/runtime.ts";
import type { OpenDemo } from "../providers/connect-provider.ts";
import { type DatabaseRoles, mainConnections, openRoles } from "../roles/database-roles.ts";
import { buildServer } from "../roles/serve-role.ts";
import { openSecrets } from "../secrets/open-secrets.ts";
import { claimBucket, openDatabase } from "../store/database.ts";
import { type Database, DatabaseError } from "../store/port.ts";
import { logUpgrade } from "../store/upgrade.ts";
import { type Background, repeat } from "../sync/jobs/repeat.ts";
import { requestSyncsOfMovedPages } from "../sync/schedule.ts";
import type { Bucket, Buckets } from "./buckets.ts";
import type { Front } from "./front.ts";

/** Milliseconds between two attempts to open a bucket that is away. */
const retryMs = 5_000;

type AppServices = Parameters<typeof buildServer>[0];

type OfAllBuckets = Pick<AppServices, "sources" | "limits" | "lifecycle" | "build" | "monotonic">;

interface OtherBucketsOptions extends OfAllBuckets {
  readonly config: Config;
  readonly home: Database;
  /** Of the home bucket. */
  readonly fingerprint: Uint8Array;
  readonly buckets: Buckets;
  readonly front: Front;
  readonly files: GraphFiles | null;
  readonly budget: number;
  readonly demo: OpenDemo | null;
  readonly folders: readonly ServedFolder[];
  /** The address of the demo workspace, with a slash at the end. */
  readonly demoUrl: string;
  readonly metrics: Metrics | null;
  readonly observeCache: ObserveCache;
  readonly random: RandomBytes;
  readonly databaseClock?: Clock | undefined;
  readonly documentNetwork?: DocumentNetwork | undefined;
  readonly log: FastifyBaseLogger;
  readonly writeLogLine?: ((line: string) => void) | undefined;
}

interface OpenBucket {
  readonly database: Database;
  readonly roles: DatabaseRoles;
  close(): Promise<void>;
}

/**
 * The buckets after the first. One that is away when Clew starts is opened as soon as it responds; until then its people are
 * refused, and all others served.
 */
export class OtherBuckets {
  readonly #options: OtherBucketsOptions;
  readonly #open = new Map<number, OpenBucket>();
  readonly #retries: Background[] = [];
  #isClosed = false;

  private constructor(options: OtherBucketsOptions) {
    this.#options = options;
  }

  /** Opens those that respond. Throws the error of one that will never be opened with these settings. */
  static async open(options: OtherBucketsOptions): Promise<OtherBuckets> {
    const others = new OtherBuckets(options);
    try {
      await Promise.all(others.#locations().map(({ number, location }) => others.#begin(number, location)));
    } catch (error) {
      await others.close();
      throw error;
    }
    return others;
  }

  /** All of them, those without a database too that are away since Clew started. */
  list(): { readonly number: number; readonly database: Database | null }[] {
    return this.#locations().map(({ number }) => ({
      number,
      database: this.#open.get(number)?.database ?? null,
    }));
  }

  /** The number of pages whose latest change no text index has yet. */
  lagPages(): number {
    return [...this.#open.values()].reduce((pages, { roles }) => pages + roles.lagPages(), 0);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#retries.map((retry) => retry.stop()));
    await Promise.all([...this.#open.values()].map((bucket) => bucket.close()));
  }

  #locations() {
    const { databaseLocations } = this.#options.config;
    return databaseLocations.slice(1).map((location, index) => ({ number: index + 2, location }));
  }

  async #begin(number: number, location: DatabaseLocation): Promise<void> {
    const { log } = this.#options;
    try {
      await this.#openBucket(number, location);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== "unreachable") throw error;
      log.error(
        { bucket: number, err: error },
        "failed to open a bucket; its people are refused until it responds",
      );
      const work = async () => {
        if (!this.#open.has(number)) await this.#openBucket(number, location);
      };
      const onError = (err: unknown) => log.error({ bucket: number, err }, "failed to open a bucket");
      this.#retries.push(repeat({ delayMs: retryMs, intervalMs: retryMs, work, onError }));
    }
  }

  async #openBucket(number: number, location: DatabaseLocation): Promise<void> {
    const { config, random, databaseClock, observeCache, fingerprint, demo, demoUrl, log } = this.#options;
    const maxConnections = mainConnections(config, location, this.#options);
    const database = await openDatabase({
      location,
      ...(maxConnections !== null && { maxConnections }),
      ...(databaseClock && { clock: databaseClock }),
      random,
      observeCache,
    });
    try {
      logUpgrade(log, location, database.upgrade);
      const secrets = await openSecrets(config, database, random);
      await claimBucket(database, { bucket: number, homeFingerprint: fingerprint });
      const services = { ...this.#options, database, secrets, clock: database.clock };
      const roles = openRoles(services, config.databaseLocations.length);
      const app = await this.#serve(number, services, roles);
      if (this.#isClosed) throw new DatabaseError("unreachable", "Clew was stopped while it opened a bucket");
      if (demo !== null)
        await requestSyncsOfMovedPages(services, { slug: services.sources.first.slug, baseUrl: demoUrl });
      roles.start();
      this.#open.set(number, {
        database,
        roles,
        async close() {
          await Promise.all([app?.close(), roles.stop()]);
          await database.close();
        },
      });
      log.info({ bucket: number, database: describeLocation(location) }, "opened a bucket");
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Lets a bucket answer requests, if this process does. */
  async #serve(
    number: number,
    services: OtherBucketsOptions & Pick<AppServices, "database" | "secrets" | "clock">,
    { reading, syncs }: DatabaseRoles,
  ) {
    if (reading === null) return null;
    const { config, buckets, front, demo, home } = services;
    const owns = buckets.ownerOf(number);
    const { publicUrl, allowed } = config;
    const sessions = await Sessions.create({ ...services, owns, issuer: publicUrl.href, allowed });
    const bucket: Bucket = { number, database: services.database, sessions, sync: syncs, owns };
    const app = await buildServer({
      ...services,
      ...reading,
      ...bucket,
      demo: demo?.site ?? null,
      home,
    });
    // Fastify's own type has its decorated requests and responses.
    front.add(number, app.routing as RequestListener);
    buckets.add(bucket);
    return app;
  }
}
