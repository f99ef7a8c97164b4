import type { History, KeyHistory } from "../history/history.ts";
import { type ReaderCall, readerModel } from "../history/models.ts";
import type { Machine } from "./machine/machine.ts";
import type { SentRequest } from "./network.ts";
import { providerPort } from "./provider.ts";

/** Milliseconds without a call of a live worker after which another one may take its sync over: its lease may have ended. */
const takeoverMs = 9_000;

/** Paths by which a sync reads. */
const readingPath = /^\/v1\/(search|pages|blocks|databases|data_sources)\b/;

interface Reading {
  readonly key: KeyHistory<string, ReaderCall, string>;
  holder: Machine | null;
  readonly calledAt: Map<Machine, number>;
}

/** Records which process reads with each grant (SYNC-9). A second one may read only once the lease has run out. */
export class SyncWatch {
  readonly #history: History;
  readonly #readings = new Map<string, Reading>();

  constructor(history: History) {
    this.#history = history;
  }

  /** Notes a request when it is sent. */
  note(sender: Machine, { method, url, headers, body }: SentRequest): void {
    const grant = headers.get("authorization");
    if (url.port !== String(providerPort) || grant === null || !readingPath.test(url.pathname)) return;
    const reading = this.#readingWith(grant);
    const { holder } = reading;
    const now = this.#history.now();
    const isFirst = method === "POST" && url.pathname === "/v1/search";
    const begins = isFirst && !Buffer.from(body).includes('"start_cursor"');
    const heardAt = (holder && reading.calledAt.get(holder)) ?? Number.NEGATIVE_INFINITY;
    const isFree = holder === null || !holder.isAlive || now - heardAt > takeoverMs;
    const goesOn = sender !== holder && isFree ? "take over" : "go on";
    reading.key.add({
      client: sender.name,
      instance: "the provider",
      call: { kind: begins ? "begin" : goesOn, by: sender.name },
      outcome: "sent",
      called: now,
      answered: now,
    });
    reading.holder = sender;
    reading.calledAt.set(sender, now);
  }

  #readingWith(grant: string): Reading {
    const known = this.#readings.get(grant);
    if (known !== undefined) return known;
    const name = `the reading with grant ${this.#readings.size + 1}`;
    const key = this.#history.open(name, readerModel);
    const reading: Reading = { key, holder: null, calledAt: new Map() };
    this.#readings.set(grant, reading);
    return reading;
  }
}
