import { setTimeout } from "node:timers/promises";
import { openTokens } from "../connections/grant.ts";
import { requestJob } from "../connections/request-sync.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { PersonMover } from "../store/database.ts";
import { DatabaseError, type WriteTransaction } from "../store/port.ts";
import { connectionsOf } from "../store/queries/connections.ts";
import { requireFingerprint } from "../store/queries/installation.ts";
import {
  countLeasedSyncs,
  endLeases,
  findMarked,
  type MarkedPerson,
  republish,
  setMark,
} from "../store/queries/moving.ts";
import { resettlePerson } from "../store/queries/people.ts";
import { removeConnection } from "../store/queries/removed-connections.ts";
import { adoptSigningKeys, signingKeys } from "../store/queries/signing-keys.ts";
import { deleteUser, findUserOfProvider } from "../store/queries/users.ts";
import { personHashOf } from "./buckets.ts";

/** A bucket that people are moved to or from. */
export interface MovingBucket {
  /** From 1. The first is the home bucket. */
  readonly number: number;
  readonly mover: PersonMover;
  readonly secrets: Secrets;
}

/**
 * The steps of a move, in order. `marked`: look-ups of the person's credentials are answered with 503, and no sync begins ·
 * `quiet`: their syncs have ended · `closed`: the databases refuse each write of them · `copied`: the new bucket has all rows, still marked ·
 * `settled`: the directory names the new bucket · `live`: the new bucket answers · `left`: the old one has nothing of them.
 */
export type MoveStep = "marked" | "quiet" | "closed" | "copied" | "settled" | "live" | "left";

interface MoveOptions {
  /** All buckets of the installation that are in use, the home bucket first. */
  readonly buckets: readonly MovingBucket[];
  readonly userId: string;
  /** The number of the bucket to move the person to. */
  readonly to: number;
  /** Milliseconds for which the old bucket keeps its marked rows, so that requests which began before find them. */
  readonly settleMs?: number;
  /** Called after each step. A move that it ends by throwing continues when it is repeated. */
  readonly onStep?: (step: MoveStep) => Promise<void> | void;
}

/** The outcome: `taken-back` if a move to another bucket was under way, and `to` is the bucket that the person was to leave. */
export type MoveOutcome = "moved" | "there-already" | "taken-back";

/** A move cannot begin or go on. The message is for the operator. */
export class MoveRefused extends Error {
  override readonly name = "MoveRefused";
}

/** Longer than requests take: of 15 seconds, or of 25 that wait for changes. */
const defaultSettleMs = 60_000;

/** Milliseconds between two looks whether the person's syncs have ended, and for how long they are waited for. */
const syncPollMs = 250;
const syncWaitMs = 120_000;

interface MoveServices extends MoveOptions {
  readonly home: MovingBucket;
  readonly target: MovingBucket;
  /** Throws once another move may run. */
  readonly check: () => Promise<void>;
}

interface Place {
  readonly bucket: MovingBucket;
  readonly person: MarkedPerson;
}

/**
 * Moves a person to another bucket while Clew runs, or finishes a move that was interrupted, at whatever step. Throws `MoveRefused`, or
 * `DatabaseError` `in_use` while another move runs.
 */
export async function movePerson(options: MoveOptions): Promise<MoveOutcome> {
  const { buckets, to } = options;
  const [home] = buckets;
  const target = buckets.find(({ number }) => number === to);
  if (home === undefined || target === undefined)
    throw new MoveRefused(
      `There is no bucket ${to} in use: start Clew with its database in DATABASE_URL first.`,
    );
  return home.mover.alone((check) => new Move({ ...options, home, target, check }).run());
}

/** One run of a move. */
class Move {
  readonly #options: MoveServices;

  constructor(options: MoveServices) {
    this.#options = options;
  }

  async run(): Promise<MoveOutcome> {
    const { target, userId } = this.#options;
    const places = await this.#places();
    const lives = places.find(({ person }) => person.moving === null);
    const left = places.find(
      ({ bucket, person }) => person.moving !== null && person.moving !== bucket.number,
    );
    if (left !== undefined) return this.#continue(left, lives !== undefined);
    if (lives === undefined)
      throw new MoveRefused(`There is no user ${userId}. \`clew users list\` shows the ids.`);
    if (lives.bucket !== target) return this.#move(lives);
    await this.#settle(lives);
    return "there-already";
  }

  /** Continues a move that was interrupted. */
  async #continue(from: Place, isLive: boolean): Promise<MoveOutcome> {
    const { target } = this.#options;
    const { bucket: source, person } = from;
    if (person.moving === target.number) {
      if (!isLive) return this.#move(from);
      await this.#leave(source);
      return "moved";
    }
    if (isLive)
      throw new MoveRefused(
        `They were moved to bucket ${person.moving}, and their old rows are still to be deleted: repeat that with \`--to ${person.moving}\` first.`,
      );
    if (source === target) return this.#takeBack(from);
    throw new MoveRefused(
      `They are being moved to bucket ${person.moving}: finish that with \`--to ${person.moving}\`, or take it back with \`--to ${source.number}\`.`,
    );
  }

  async #places(): Promise<readonly Place[]> {
    const { buckets, userId } = this.#options;
    const found = await Promise.all(
      buckets.map(async (bucket) => {
        const person = await findMarked(bucket.mover.read, userId);
        return person && { bucket, person };
      }),
    );
    return found.filter((place) => place !== null);
  }

  /** All steps. Each does nothing that is done already. */
  async #move(from: Place): Promise<MoveOutcome> {
    const { target, userId } = this.#options;
    const { bucket: source, person } = from;
    const known = await findUserOfProvider(target.mover.read, person.provider, person.providerUserId);
    if (known !== null && known !== userId)
      throw new MoveRefused(`They have another account in that bucket already: ${known}.`);
    const marked = await source.mover.transaction((trx) =>
      setMark(trx, userId, { from: null, to: target.number }),
    );
    if (!marked) throw new MoveRefused("The account was deleted meanwhile.");
    await this.#done("marked");
    await this.#awaitSyncs(source);
    await this.#done("quiet");
    for (const { mover } of [source, target]) await mover.refuseWrites();
    await source.mover.transaction((trx) => endLeases(trx, userId));
    await this.#done("closed");
    await this.#copy(source);
    await this.#done("copied");
    await this.#settle({ ...from, bucket: target });
    await this.#done("settled");
    await this.#open();
    await this.#done("live");
    await this.#leave(source);
    return "moved";
  }

  async #done(step: MoveStep): Promise<void> {
    await this.#options.onStep?.(step);
    await this.#options.check();
  }

  /** Waits until no worker has a sync of the person: one that runs ends within seconds, because its lease is not renewed. */
  async #awaitSyncs({ mover }: MovingBucket): Promise<void> {
    const { userId } = this.#options;
    const deadline = performance.now() + syncWaitMs;
    while ((await countLeasedSyncs(mover.read, userId, await mover.now())) > 0) {
      if (performance.now() > deadline)
        throw new MoveRefused(
          "A sync of the person does not end: is an instance of an earlier version running?",
        );
      await setTimeout(syncPollMs);
    }
  }

  /** Copies all rows in one transaction of the new bucket, which ends only if both have the same. */
  async #copy(source: MovingBucket): Promise<void> {
    const { target, userId } = this.#options;
    const expected = await source.mover.snapshot((db) => source.mover.digests(db, userId));
    if (await this.#hasCopy(expected)) return;
    const connections = await connectionsOf(source.mover.read, userId);
    const keys = await signingKeys(source.mover.read);
    const now = await target.mover.now();
    await target.mover.transaction(async (trx) => {
      await this.#deleteCopy(trx);
      const ids = connections.map(({ id }) => id);
      // Of an earlier stay in this bucket.
      await trx
        .deleteFrom("connections")
        .where("id", "in", ids)
        .where("removed_at", "is not", null)
        .execute();
      await adoptSigningKeys(trx, keys, now);
      await source.mover.readRows(userId, (table, columns, rows) =>
        target.mover.insert(trx, table, columns, rows),
      );
      await setMark(trx, userId, { from: null, to: target.number });
      requireEqual(expected, await target.mover.digests(trx, userId));
      // Throws if the new bucket has another encryption key.
      for (const id of ids) await openTokens(trx, target.secrets, id);
    });
    await target.mover.analyze();
  }

  async #hasCopy(expected: Awaited<ReturnType<PersonMover["digests"]>>): Promise<boolean> {
    const { mover } = this.#options.target;
    const { userId } = this.#options;
    if ((await findMarked(mover.read, userId)) === null) return false;
    const found = await mover.snapshot((db) => mover.digests(db, userId));
    return differenceOf(expected, found) === null;
  }

  /** Deletes the marked copy of an earlier attempt. Throws if the person lives in this bucket, whose rows are then no copy. */
  async #deleteCopy(trx: WriteTransaction): Promise<void> {
    const { userId } = this.#options;
    await trx.deleteFrom("users").where("id", "=", userId).where("moving", "is not", null).execute();
    if ((await findMarked(trx, userId)) !== null) throw new MoveRefused("They live in this bucket already.");
  }

  /** Names a bucket in the directory, for sign-ins. */
  async #settle({ bucket, person }: Place): Promise<void> {
    const { home } = this.#options;
    const { provider, providerUserId: id } = person;
    const personHash = personHashOf(await requireFingerprint(home.mover.read), { provider, id });
    await home.mover.transaction((trx) => resettlePerson(trx, personHash, bucket.number));
  }

  /** Lets the new bucket answer. Looks and webhooks that came meanwhile were refused, so the latest edits are read. */
  async #open(): Promise<void> {
    const { target, userId } = this.#options;
    const now = await target.mover.now();
    await target.mover.transaction(async (trx) => {
      if (!(await setMark(trx, userId, { from: target.number, to: null })))
        throw new MoveRefused("The copy has disappeared: repeat the command.");
      await republish(trx, userId, now);
      for (const { id } of await connectionsOf(trx, userId))
        await requestJob(trx, id, { by: "look", only: "edits" }, now);
    });
    await target.mover.allowWrites();
  }

  /** Deletes the person from the old bucket: their graphs are left to its background, as those of a deleted account are. */
  async #leave({ mover }: MovingBucket): Promise<void> {
    const { userId, settleMs = defaultSettleMs } = this.#options;
    await setTimeout(settleMs);
    await this.#options.check();
    const now = await mover.now();
    await mover.transaction(async (trx) => {
      for (const { id } of await connectionsOf(trx, userId)) await removeConnection(trx, id, now);
      await deleteUser(trx, userId);
    });
    await mover.allowWrites();
    await this.#done("left");
  }

  /** Undoes a move that is not live yet. */
  async #takeBack(source: Place): Promise<MoveOutcome> {
    const { buckets, userId } = this.#options;
    const other = buckets.find(({ number }) => number === source.person.moving);
    await other?.mover.transaction((trx) => this.#deleteCopy(trx));
    await this.#settle(source);
    await source.bucket.mover.transaction((trx) =>
      setMark(trx, userId, { from: source.person.moving, to: null }),
    );
    for (const bucket of [source.bucket, other]) await bucket?.mover.allowWrites();
    return "taken-back";
  }
}

type Digests = Awaited<ReturnType<PersonMover["digests"]>>;

/** The first table whose rows differ; null if none does. */
function differenceOf(expected: Digests, found: Digests): string | null {
  const differing = expected.find(({ rows, digest }, index) => {
    const other = found[index];
    return other?.rows !== rows || other.digest !== digest;
  });
  return differing?.table ?? null;
}

function requireEqual(expected: Digests, found: Digests): void {
  const table = differenceOf(expected, found);
  if (table !== null)
    throw new DatabaseError("unusable", `The copy of ${table} differs from the original: nothing was moved.`);
}
