import { collectDefaultMetrics, Registry } from "prom-client";
import type { App } from "../http/server.ts";
import { providerCallCounter } from "./provider-calls.ts";
import { observeRequests } from "./requests.ts";
import { observeState, type StateParts } from "./state.ts";

/** What is counted and measured for Prometheus (OPS-2). No value or label tells of a person, a page or a secret. */
export interface Metrics {
  /** Measures every answer of a server. To be called before its routes are registered. */
  observeRequests(app: App, isUnavailable: (error: unknown) => boolean): void;
  /** The same network, with the calls to the provider counted. */
  countProviderCalls(fetch: typeof globalThis.fetch): typeof globalThis.fetch;
  /** Tells what is stored and held in memory, each time that it is asked for. */
  observeState(parts: StateParts): void;
  /** All of it as text, and the media type of that text. */
  render(): Promise<{ type: string; text: string }>;
}

/** Metrics of one process, with those of Node and of the process itself. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  let refresh = async () => {};
  collectDefaultMetrics({ register: registry });
  return {
    observeRequests: (app, isUnavailable) => observeRequests(registry, app, isUnavailable),
    countProviderCalls: providerCallCounter(registry),
    observeState(parts) {
      refresh = observeState(registry, parts);
    },
    async render() {
      await refresh();
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}
