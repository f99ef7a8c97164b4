import { ProviderError } from "../../port.ts";

/** An answer whose body has arrived whole. */
export interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly content: string;
  /** The content once more, as the provider's SDK wants it. */
  text(): Promise<string>;
}

/** A request as the provider's SDK makes it. */
export interface Request {
  readonly url: string;
  readonly init: RequestInit;
}

/** No page of text comes near this: an answer beyond it is refused before it fills the memory. */
const maximumBytes = 10 * 1024 * 1024;

/**
 * Sends a request once and reads the answer to its end. Throws `ProviderError` `unavailable` where the connection
 * breaks or `timeout` milliseconds pass first, `nonsense` where the answer is too large, and the signal's reason
 * where it is aborted.
 */
export async function exchange(
  { url, init }: Request,
  { fetch, timeout, signal }: { fetch: typeof globalThis.fetch; timeout: number; signal: AbortSignal },
): Promise<Answer> {
  const deadline = AbortSignal.timeout(timeout);
  try {
    const response = await fetch(url, {
      ...init,
      redirect: "error",
      signal: AbortSignal.any([signal, deadline]),
    });
    const content = await boundedText(response);
    const { ok, status, headers } = response;
    return { ok, status, headers, content, text: async () => content };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ProviderError) throw cause;
    const reason = deadline.aborted ? `There was no answer within ${timeout} ms` : "The connection broke";
    throw new ProviderError("unavailable", reason, { cause });
  }
}

async function boundedText(response: Response): Promise<string> {
  // Each chunk by itself: to decode ten megabytes at once would hold up everything else.
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maximumBytes)
      throw new ProviderError("nonsense", `The provider's answer is larger than ${maximumBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
