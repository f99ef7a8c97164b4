import type { IncomingMessage } from "node:http";
import type { CallerRecord } from "../store/port.ts";

/*
 * If there are several buckets, the one that answers a request is chosen by looking up its credential. What was found is kept here for
 * the gate, which would otherwise ask the same again.
 */

/** A caller, null for an unknown credential, or the reason why that is not known. */
export type FoundCaller = CallerRecord | null | Error;

const found = new WeakMap<IncomingMessage, FoundCaller>();

/** Keeps the caller of a request until it is taken. */
export function keepCaller(message: IncomingMessage, caller: FoundCaller): void {
  found.set(message, caller);
}

/** The caller of a request, once; undefined if none was kept. Throws the reason why it is not known. */
export function takeCaller(message: IncomingMessage): CallerRecord | null | undefined {
  const caller = found.get(message);
  found.delete(message);
  if (caller instanceof Error) throw caller;
  return caller;
}
