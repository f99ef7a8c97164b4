import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { requireSettled } from "../auth/credentials.ts";
import type { OwnsCredential } from "../auth/draw-credential.ts";
import { credentialHash } from "../auth/draw-credential.ts";
import type { FoundCaller } from "../auth/found-callers.ts";
import type { Sessions } from "../auth/sessions.ts";
import type { Syncs } from "../connections/request-sync.ts";
import { ApiError } from "../model/api-error.ts";
import { describeLocation } from "../model/database-location.ts";
import type { ObserveCache } from "../model/runtime.ts";
import { type CallerKey, type CallerRecord, type Database, DatabaseError } from "../store/port.ts";
import { ownerOfAppCode } from "../store/queries/apps.ts";
import { idOfCaller } from "../store/queries/callers.ts";
import { readBucketMark } from "../store/queries/installation.ts";
import { bucketOfPerson, lastInhabited, settlePerson } from "../store/queries/people.ts";
import { countUsers, findUserOfProvider } from "../store/queries/users.ts";
import { CredentialSlots } from "./slots.ts";

/** One of several databases, with all that belongs to the people in it. */
export interface Bucket {
  /** From 1, by its place in DATABASE_URL. The first is the home bucket. */
  readonly number: number;
  readonly database: Database;
  readonly sessions: Sessions;
  readonly sync: Syncs;
  readonly owns: OwnsCredential;
}

/** A person as their provider identifies them. */
interface Person {
  /** The provider's slug. */
  readonly provider: string;
  readonly id: string;
}

/** The place of a credential. */
export interface Located {
  /** The number of its bucket, or of one that can refuse it. */
  readonly bucket: number;
  readonly caller: FoundCaller;
}

interface BucketsOptions {
  /** The number of buckets, whether or not they are open. */
  readonly count: number;
  /** Identifies the installation. */
  readonly fingerprint: Uint8Array;
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number;
  readonly observeCache: ObserveCache;
}

/** Credentials whose buckets are remembered because their slots say others. */
const maxMisplaced = 100_000;

/** Milliseconds for which the numbers of people are used. */
const countsMs = 60_000;

const homeNumber = 1;

/**
 * The buckets of an installation, and which of them has a credential or a person. A new credential is drawn until its hash leads to
 * its bucket. One that is elsewhere, because it is older than a bucket or its owner was moved, is found by asking all of them, and then
 * remembered. So correctness does not depend on what slots say.
 */
export class Buckets {
  readonly #open = new Map<number, Bucket>();
  readonly #slots: CredentialSlots;
  readonly #options: BucketsOptions;
  /** The buckets of credentials that are not where their slots say. */
  readonly #misplaced = new LRUCache<string, number>({ max: maxMisplaced });
  #counts: ReadonlyMap<number, number> = new Map();
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(options: BucketsOptions) {
    this.#options = options;
    this.#slots = new CredentialSlots(options.count);
    options.observeCache({ name: "misplaced_credentials", entries: () => this.#misplaced.size });
  }

  /** Whether a new credential belongs to this bucket. */
  ownerOf(number: number): OwnsCredential {
    return (hash) => this.#slots.bucketOf(hash) === number;
  }

  /** Adds a bucket that has been opened. */
  add(bucket: Bucket): void {
    this.#open.set(bucket.number, bucket);
  }

  /** All buckets that are open. */
  open(): readonly Bucket[] {
    return [...this.#open.values()];
  }

  /** The first bucket, which has what belongs to nobody in particular, and says where people live. Throws `ApiError` `unavailable`. */
  get home(): Bucket {
    return this.#require(homeNumber);
  }

  /** The bucket of a service token; that of its slot for an unknown one. Throws `ApiError` `unavailable`. */
  async ofServiceToken(hash: Buffer): Promise<Bucket> {
    return this.#bucketOf(await this.locate({ kind: "service-token", hash }));
  }

  /** The bucket of a session; that of its slot for an unknown one. Throws `ApiError` `unavailable`. */
  async ofSession(sessionId: string): Promise<Bucket> {
    return this.#bucketOf(await this.locate({ kind: "session", sessionId }));
  }

  /** The bucket of an app's code, or of the token that it gave; that of its slot for an unknown one. Throws `ApiError` `unavailable`. */
  async ofCode(hash: Buffer): Promise<Bucket> {
    const has = async ({ database }: Bucket) => {
      const owner = await ownerOfAppCode(database.read, hash);
      if (owner !== null) requireSettled(owner);
      return owner;
    };
    const { bucket, fault } = await this.#find(`code ${hash.toString("latin1")}`, hash, has);
    if (fault !== null) throw fault;
    return this.#require(bucket);
  }

  /** Looks a credential up, in its bucket first. Never rejects: `caller` says why it is not known. */
  async locate(key: CallerKey): Promise<Located> {
    const hash = key.kind === "session" ? credentialHash(key.sessionId) : key.hash;
    const ask = async ({ database }: Bucket): Promise<CallerRecord | null> => {
      const [record = null] = await database.callers([key]);
      if (record !== null) requireSettled(record.owner);
      return record;
    };
    const { bucket, found, fault } = await this.#find(idOfCaller(key), hash, ask);
    return { bucket, caller: found ?? fault };
  }

  /**
   * The bucket of a person, who gets the one with the fewest people if they are new: from then on they live there. Throws `ApiError`
   * `unavailable`.
   */
  async ofPerson({ provider, id }: Person): Promise<Bucket> {
    const personHash = personHashOf(this.#options.fingerprint, { provider, id });
    const { database } = this.home;
    const known = await bucketOfPerson(database.read, personHash);
    if (known !== null) return this.#require(known);
    // Who signed in before there were several buckets, or is missing in a directory that was restored, is somewhere.
    const found = await this.#askAll(this.#numbers(), ({ database: each }) =>
      findUserOfProvider(each.read, provider, id),
    );
    const lived = found.find((answer) => answer.found !== null)?.number;
    if (lived === undefined) await this.#count();
    const chosen = lived ?? this.#emptiest();
    const number = await database.transaction(async (trx) => {
      const settled = await bucketOfPerson(trx, personHash);
      if (settled === null) await settlePerson(trx, personHash, chosen);
      return settled ?? chosen;
    });
    return this.#require(number);
  }

  /**
   * Finds what a hash leads to: asks the bucket that is remembered, or that of the slot, and if it is not there all others. `fault` is
   * null if it is nowhere, and an error if a bucket that might have it is away, or if its person is being moved. A person who has been
   * moved is marked in the old bucket for a minute, and not in the new one, which is then found.
   */
  async #find<T>(
    id: string,
    hash: Uint8Array,
    ask: (bucket: Bucket) => Promise<T | null>,
  ): Promise<{ readonly bucket: number; readonly found: T | null; readonly fault: ApiError | null }> {
    const remembered = this.#misplaced.get(id);
    const likely = remembered ?? this.#slots.bucketOf(hash);
    const [first] = await this.#askAll([likely], ask);
    if (first?.found != null) return { bucket: likely, found: first.found, fault: null };
    const others = this.#numbers().filter((number) => number !== likely);
    const answers = await this.#askAll(others, ask);
    const elsewhere = answers.find(({ found }) => found !== null);
    if (elsewhere !== undefined) {
      this.#misplaced.set(id, elsewhere.number);
      return { bucket: elsewhere.number, found: elsewhere.found, fault: null };
    }
    const faults = [...(first === undefined ? [] : [first]), ...answers].filter(
      (each) => each.fault !== null,
    );
    if (faults.length > 0) return { bucket: homeNumber, found: null, fault: away(faults[0]?.fault) };
    this.#misplaced.delete(id);
    return { bucket: likely, found: null, fault: null };
  }

  #askAll<T>(numbers: readonly number[], ask: (bucket: Bucket) => Promise<T | null>) {
    return Promise.all(
      numbers.map(async (number) => {
        const bucket = this.#open.get(number);
        if (bucket === undefined) return { number, found: null, fault: new Error("it was not opened yet") };
        try {
          return { number, found: await ask(bucket), fault: null };
        } catch (fault) {
          return { number, found: null, fault };
        }
      }),
    );
  }

  #numbers(): number[] {
    return Array.from({ length: this.#options.count }, (_, index) => index + 1);
  }

  #bucketOf({ bucket, caller }: Located): Bucket {
    if (caller instanceof Error) throw caller;
    return this.#require(bucket);
  }

  #require(number: number): Bucket {
    const bucket = this.#open.get(number);
    if (bucket === undefined) throw away(undefined);
    return bucket;
  }

  /** Counts people, for `#emptiest`: not exactly, since that would make sign-ins wait for one another. */
  async #count(): Promise<void> {
    const now = this.#options.monotonic();
    if (now - this.#countedAt < countsMs) return;
    const counted = await Promise.all(
      this.open().map(({ number, database }) =>
        countUsers(database.read).then(
          (people) => [number, people] as const,
          // Nobody new goes to a bucket that is away.
          () => null,
        ),
      ),
    );
    this.#counts = new Map(counted.filter((each) => each !== null));
    this.#countedAt = now;
  }

  /** The newest bucket of those with the fewest people, among those that responded when they were counted. */
  #emptiest(): number {
    const [fewest] = [...this.#counts].sort(
      ([one, people], [other, others]) => people - others || other - one,
    );
    const [chosen, people] = fewest ?? [homeNumber, 0];
    this.#counts = new Map(this.#counts).set(chosen, people + 1);
    return chosen;
  }
}

/** Identifies a person in the directory of an installation, by the fingerprint of its home bucket. */
export function personHashOf(fingerprint: Uint8Array, { provider, id }: Person): Buffer {
  return createHash("sha256").update(fingerprint).update(`${provider}\0${id}`).digest();
}

/**
 * Throws `DatabaseError` `unusable` if the home bucket says that people live in a bucket that is not among the configured ones, or if it
 * is not the home bucket.
 */
export async function requireAllBuckets(home: Database, count: number): Promise<void> {
  await requireBucket(home, homeNumber);
  const last = await lastInhabited(home.read);
  if (last > count)
    throw new DatabaseError(
      "unusable",
      `People live in bucket ${last}, and DATABASE_URL lists ${count} of the databases: list all of them, in the order in which they were added.`,
    );
}

/** Throws `DatabaseError` `unusable` for a database that is a bucket of another number. */
export async function requireBucket(database: Database, number: number): Promise<void> {
  const mark = await readBucketMark(database.read);
  if (mark === null || mark.bucket === number) return;
  throw new DatabaseError(
    "unusable",
    `The database ${describeLocation(database.location)} is bucket ${mark.bucket} of an installation, and DATABASE_URL has it at place ${number}: list all of its databases, in the order in which they were added.`,
  );
}

function away(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  return new ApiError("unavailable", "One of the databases does not respond. Try again in a moment.", {
    headers: { "retry-after": "5" },
    cause,
  });
}
