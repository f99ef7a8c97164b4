import { integer } from "@clew/stand-in/testing/random";
import { Machine } from "./machine/machine.ts";
import type { Scheduler } from "./machine/scheduler.ts";

/** An instance or the provider, at its port. */
export interface Endpoint {
  /** Null while no process listens. */
  readonly machine: Machine | null;
  readonly answer: (request: SentRequest) => Promise<Response>;
}

export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** An answer that has arrived, with its whole body. */
interface Arrived {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** How often something happens to a request, from 0 to 1. */
export interface NetworkFaults {
  /** It never arrives. */
  readonly lost: number;
  /** It arrives, and its answer does not. */
  readonly unanswered: number;
  /** It arrives twice, if it only reads. */
  readonly duplicated: number;
  /** The connection breaks while the answer arrives. */
  readonly broken: number;
  /** It takes seconds. */
  readonly slow: number;
}

export const noFaults: NetworkFaults = { lost: 0, unanswered: 0, duplicated: 0, broken: 0, slow: 0 };

/** Milliseconds that a message takes, and one that is slow. */
const usualMs = { least: 1, most: 40 } as const;
const slowMs = { least: 500, most: 20_000 } as const;

/** Milliseconds after which a sender learns that its connection is lost. */
const lostMs = { least: 1_000, most: 30_000 } as const;

/** The provider's lists are requested by POST, and are read nevertheless. */
const readByPost = /^\/v1\/(search|data_sources\/[^/]+\/query)$/;

/** Whether a request may arrive twice. One that deletes may not: what it names could be there again when the second one arrives. */
const isRead = ({ method, url }: SentRequest) =>
  method === "GET" || (method === "POST" && readByPost.test(url.pathname));

/** The error of `fetch` when a connection fails. */
const broken = () => new TypeError("fetch failed");

/** Statuses without a body (https://fetch.spec.whatwg.org/#null-body-status). */
const hasBody = (status: number) => ![204, 205, 304].includes(status);

/** Carries every request of a simulation, which waits, is lost, arrives twice or breaks as the seed says. */
export class Network {
  readonly #scheduler: Scheduler;
  readonly #endpoints = new Map<string, Endpoint>();
  /** The faults of now. */
  faults: NetworkFaults = noFaults;
  /** Told about each request when it is sent, and about each answer of an endpoint. */
  onRequest: (sender: Machine, request: SentRequest) => void = () => {};
  onAnswer: (request: SentRequest, answer: Arrived) => void = () => {};

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  listen(port: number, endpoint: Endpoint): void {
    this.#endpoints.set(String(port), endpoint);
  }

  /** The `fetch` of every machine. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const sender = Machine.current;
    if (sender === null) throw new Error("Nothing sends a request outside of a simulation.");
    const given = new Request(input, init);
    const { method, headers, signal } = given;
    const body = new Uint8Array(await given.arrayBuffer());
    signal.throwIfAborted();
    return this.#exchange(sender, { method, url: new URL(given.url), headers, body }, signal);
  };

  #exchange(sender: Machine, request: SentRequest, signal: AbortSignal): Promise<Response> {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const fate = this.#fateOf(request);
    this.onRequest(sender, request);
    this.#scheduler.note(`${sender.name} → ${nameOf(request)}${fate === "arrives" ? "" : ` (${fate})`}`);
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    const tell = (milliseconds: number, end: () => void) =>
      this.#scheduler.schedule(sender, milliseconds, () => {
        signal.removeEventListener("abort", abort);
        end();
      });
    const lose = () => tell(this.#within(lostMs), () => reject(broken()));
    if (fate === "lost") {
      lose();
      return promise;
    }
    const answered = (answer: Arrived | null) => {
      if (answer !== null && fate === "unanswered") return void lose();
      tell(this.#delay(), () => {
        if (answer === null) reject(broken());
        else resolve(responseOf(answer, fate === "broken"));
      });
    };
    this.#deliver(request, answered);
    if (fate === "duplicated") this.#deliver(request, () => {});
    return promise;
  }

  /** Delivers a request, and calls back with its answer: null if no process listens, or if it is killed first. */
  #deliver(request: SentRequest, answered: (answer: Arrived | null) => void): void {
    const endpoint = this.#endpoints.get(request.url.port);
    const road = new Machine("the network", this.#scheduler);
    this.#scheduler.schedule(road, this.#delay(), () => {
      const machine = endpoint?.machine ?? null;
      if (endpoint === undefined || machine === null || !machine.isAlive) return answered(null);
      const survived = machine.onDeath(() => answered(null));
      machine.enter(async () => {
        const answer = await arrivedOf(endpoint, request);
        survived();
        this.#scheduler.note(
          `${machine.name} ← ${nameOf(request)} ${answer.status} ${digestOf(answer.body)}`,
        );
        this.onAnswer(request, answer);
        answered(answer);
      });
    });
  }

  #fateOf(request: SentRequest): keyof Omit<NetworkFaults, "slow"> | "arrives" {
    const { lost, unanswered, duplicated, broken: breaks } = this.faults;
    if (this.#scheduler.happens(lost)) return "lost";
    if (this.#scheduler.happens(unanswered)) return "unanswered";
    if (isRead(request) && this.#scheduler.happens(duplicated)) return "duplicated";
    return this.#scheduler.happens(breaks) ? "broken" : "arrives";
  }

  #delay(): number {
    return this.#within(this.#scheduler.happens(this.faults.slow) ? slowMs : usualMs);
  }

  #within({ least, most }: { readonly least: number; readonly most: number }): number {
    return integer(this.#scheduler.random, least, most);
  }
}

/** The answer of an endpoint. A failure of `answer` would be one of the simulation. */
async function arrivedOf(endpoint: Endpoint, request: SentRequest): Promise<Arrived> {
  const answer = await endpoint.answer(request);
  return { status: answer.status, headers: answer.headers, body: new Uint8Array(await answer.arrayBuffer()) };
}

function responseOf({ status, headers, body }: Arrived, isBroken: boolean): Response {
  if (!hasBody(status)) return new Response(null, { status, headers });
  if (!isBroken) return new Response(body, { status, headers });
  const half = body.subarray(0, Math.floor(body.length / 2));
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      if (half.length > 0) controller.enqueue(half);
    },
    pull(controller) {
      controller.error(new TypeError("terminated"));
    },
  });
  return new Response(stream, { status, headers });
}

const nameOf = ({ method, url }: SentRequest) => `${method} :${url.port}${url.pathname}${url.search}`;

/** A short number that tells two bodies apart. */
function digestOf(body: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of body) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16);
}
