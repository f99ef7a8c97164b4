import { call } from "../support/call.ts";
import type { History } from "./history.ts";

/** Who asks, and which instance. */
export interface Turn {
  readonly history: History;
  readonly client: string;
  readonly instance: { readonly name: string; readonly url: URL };
}

/** An answer with the times at which the request was sent and the answer read. */
export interface Answered {
  /** The status of a success, or the code of a refusal. Null if no answer came, or one that the service is not available. */
  readonly outcome: string | null;
  readonly body: unknown;
  readonly called: number;
  readonly answered: number;
}

/** Sends one request. */
export async function ask(
  { history, instance }: Turn,
  path: string,
  request: NonNullable<Parameters<typeof call>[2]> = {},
): Promise<Answered> {
  const called = history.now();
  const unanswered = { outcome: null, body: null, called, answered: Number.POSITIVE_INFINITY };
  const answer = await call(instance.url, path, request).catch((error: unknown) => {
    // A connection that broke, or that was not accepted.
    if (error instanceof TypeError) return null;
    throw error;
  });
  // The commit of a request that is answered so may have arrived.
  if (answer === null || answer.status === 503) return unanswered;
  const { status, body } = answer;
  const outcome = status < 400 ? String(status) : (body.code ?? String(status));
  return { outcome, body, called, answered: history.now() };
}

/** The operation of that turn on a key. */
export function operationOf<Call>(
  { client, instance }: Turn,
  call: Call,
  { outcome, called, answered }: Omit<Answered, "body">,
) {
  return { client, instance: instance.name, call, outcome, called, answered };
}
