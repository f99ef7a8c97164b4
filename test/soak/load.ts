import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "@clew/stand-in/testing/random";

/** A request to one of the instances. */
export interface Question {
  readonly path: string;
  /** The body of a POST in JSON; a GET has none. */
  readonly body?: string;
}

/** The outcomes of requests since the counts were last taken. */
export interface Counts {
  served: number;
  /** Answers of 429 and 503 that say when to come again. */
  refused: number;
  /** Any other answer, and broken connections, by what they were. */
  readonly wrong: Map<string, number>;
  /** Requests that were due and not sent, because too many were under way. */
  unsent: number;
  /** Milliseconds of the served requests, from when each was due until its whole answer was there. */
  readonly times: number[];
}

/** How much was served to clients that ask without a pause. */
export interface Rate {
  /** Served requests in a second. */
  readonly perSecond: number;
  /** The share of the answers that are refusals. */
  readonly refused: number;
}

const emptyCounts = (): Counts => ({ served: 0, refused: 0, wrong: new Map(), unsent: 0, times: [] });

/** Requests that may be under way together. Beyond them an open loop does not send what is due. */
const mostUnderWay = 256;

/** Asks several instances in turn, in the name of one service token, and counts what they answer. */
export class Load {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: mostUnderWay });
  readonly #ports: readonly number[];
  readonly #token: string;
  readonly #draw: () => Question;
  #counts = emptyCounts();
  #underWay = 0;
  #turn = 0;

  constructor(ports: readonly number[], token: string, draw: () => Question) {
    this.#ports = ports;
    this.#token = token;
    this.#draw = draw;
  }

  /** Asks with as many clients, each as soon as its last question is answered. */
  async closedLoop(clients: number, milliseconds: number): Promise<Rate> {
    this.takeCounts();
    const start = performance.now();
    const client = async () => {
      while (performance.now() - start < milliseconds) await this.#ask(performance.now());
    };
    await Promise.all(Array.from({ length: clients }, client));
    const { served, refused } = this.takeCounts();
    return {
      perSecond: (served * 1000) / (performance.now() - start),
      refused: refused / Math.max(1, served + refused),
    };
  }

  /** Asks at random times (a Poisson process), whether or not earlier questions are answered, until the signal is aborted. */
  async openLoop(perSecond: number, random: Random, signal: AbortSignal): Promise<void> {
    let due = performance.now();
    while (!signal.aborted) {
      while (due <= performance.now()) {
        if (this.#underWay < mostUnderWay) void this.#ask(due);
        else this.#counts.unsent += 1;
        due += (-Math.log(1 - random()) * 1000) / perSecond;
      }
      await sleep(Math.max(1, due - performance.now()));
    }
    while (this.#underWay > 0) await sleep(10);
  }

  /** Returns the counts since the last call, and begins new ones. */
  takeCounts(): Counts {
    const counts = this.#counts;
    this.#counts = emptyCounts();
    return counts;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #ask(due: number): Promise<void> {
    this.#underWay += 1;
    const { status, retryAfter } = await this.#send(this.#draw());
    this.#underWay -= 1;
    const counts = this.#counts;
    if (status === "200") {
      counts.served += 1;
      counts.times.push(performance.now() - due);
    } else if ((status === "429" || status === "503") && retryAfter) counts.refused += 1;
    else counts.wrong.set(status, (counts.wrong.get(status) ?? 0) + 1);
  }

  #send(question: Question): Promise<{ readonly status: string; readonly retryAfter: boolean }> {
    const { path, body } = question;
    this.#turn += 1;
    const port = this.#ports[this.#turn % this.#ports.length];
    const headers = {
      host: `localhost:${port}`,
      authorization: `Bearer ${this.#token}`,
      accept: "application/json",
      ...(body === undefined
        ? {}
        : { "content-type": "application/json", "mcp-protocol-version": "2025-11-25" }),
    };
    const method = body === undefined ? "GET" : "POST";
    return new Promise((resolve) => {
      const broken = (error: Error) => resolve({ status: error.message, retryAfter: false });
      const sent = request(
        { host: "127.0.0.1", port, path, method, headers, agent: this.#agent },
        (response) => {
          response.on("error", broken).resume();
          response.on("end", () =>
            resolve({
              status: String(response.statusCode),
              retryAfter: response.headers["retry-after"] !== undefined,
            }),
          );
        },
      );
      sent.on("error", (error: NodeJS.ErrnoException) => {
        // The server closed an idle connection at the moment when it was used again. Every question is a read.
        if (sent.reusedSocket && error.code === "ECONNRESET") resolve(this.#send(question));
        else broken(error);
      });
      sent.end(body);
    });
  }
}
