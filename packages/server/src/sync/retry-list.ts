import { ProviderError } from "../provider/port.ts";

/**
 * A list of the provider's that is begun again, once, where it breaks in the middle: entries may then come twice. Where
 * it breaks again `onBroken` is told, and the list ends. What fails before its first entry is thrown.
 */
export async function* retryListOnce<T>(
  list: () => AsyncIterable<T>,
  onBroken: (error: ProviderError) => void,
): AsyncGenerator<T> {
  let isBegun = false;
  for (const isLast of [false, true]) {
    try {
      for await (const entry of list()) {
        isBegun = true;
        yield entry;
      }
      return;
    } catch (error) {
      if (!isBegun || !(error instanceof ProviderError) || error.code === "unauthorized") throw error;
      if (isLast) onBroken(error);
    }
  }
}
