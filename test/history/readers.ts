import { setTimeout as sleep } from "node:timers/promises";
import { type Arrival, recordTo } from "../support/recording-proxy.ts";
import type { Stage } from "../support/stage.ts";
import type { History, KeyHistory } from "./history.ts";
import { type ReaderCall, readerModel } from "./models.ts";

/** Milliseconds without a call of the instance that syncs after which another one may take its sync over: its lease may have ended. */
const takeoverMs = 9_000;

/** Milliseconds after a long pause in which an instance may send what it was about to send before it. */
const strayMs = 5_000;

/** Milliseconds that each reading call takes at least, so that syncs last and can meet. */
const callMs = 100;

/** Paths by which a sync reads. */
const readingPath = /^\/v1\/(search|pages|blocks|databases|data_sources)\b/;

interface Reader {
  readonly key: KeyHistory<string, ReaderCall, string>;
  holder: string;
  readonly lastCalls: Map<string, number>;
}

/** Stands between the instances and the provider, and keeps the history of who reads what each grant opens. */
export class Readers {
  readonly #stage: Stage;
  readonly #history: History;
  readonly #readers = new Map<string, Reader>();
  /** When an instance was resumed after a pause that was longer than its lease. */
  readonly #resumed = new Map<string, number>();

  constructor(stage: Stage, history: History) {
    this.#stage = stage;
    this.#history = history;
  }

  /** The address of the provider for one instance. */
  async providerOf(instance: string, url: string): Promise<string> {
    const proxy = await recordTo(url, async (path, arrival) => {
      if (!readingPath.test(path)) return;
      this.#note(instance, arrival);
      await sleep(callMs);
    });
    this.#stage.defer(() => proxy.close());
    return proxy.url;
  }

  /** Notes that an instance is resumed after a pause that was longer than its lease. */
  resumed(instance: string): void {
    this.#resumed.set(instance, this.#history.now());
  }

  #note(by: string, { method, path, authorization, sent }: Arrival): void {
    if (authorization === undefined) return;
    const now = this.#history.now();
    if (now - (this.#resumed.get(by) ?? Number.NEGATIVE_INFINITY) < strayMs) return;
    const reader = this.#readerOf(authorization);
    const begins = method === "POST" && path === "/v1/search" && !sent.includes('"start_cursor"');
    const quietSince = reader.lastCalls.get(reader.holder) ?? Number.NEGATIVE_INFINITY;
    const takesOver = by !== reader.holder && now - quietSince > takeoverMs;
    const goesOn = takesOver ? "take over" : "go on";
    const kind = begins ? "begin" : goesOn;
    reader.key.add({
      client: by,
      instance: "the provider",
      call: { kind, by },
      outcome: "sent",
      called: now,
      answered: now,
    });
    reader.holder = by;
    reader.lastCalls.set(by, now);
  }

  #readerOf(authorization: string): Reader {
    const known = this.#readers.get(authorization);
    if (known !== undefined) return known;
    const name = `the reading with grant ${this.#readers.size + 1}`;
    const reader = {
      key: this.#history.open(name, readerModel),
      holder: "",
      lastCalls: new Map<string, number>(),
    };
    this.#readers.set(authorization, reader);
    return reader;
  }
}
