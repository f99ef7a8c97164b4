import { ResponseError } from "@clew/client";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isOutage, reachability } from "./reachability.ts";

const outageRetryMs = 3_000;
const limitedRetries = 5;

/**
 * Holds what the API has answered. During an outage queries keep their data and try again until Clew is back, so that one
 * notice for all of them is enough. Other failures are shown where they happen.
 */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onSuccess: () => reachability.set(true) }),
    mutationCache: new MutationCache({
      onError(error) {
        if (!isOutage(error)) return;
        reachability.set(false);
        // A query then finds out when it is over.
        void client.invalidateQueries();
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // Clew may run on this machine, which needs no network.
        networkMode: "always",
        retry(failures, error) {
          if (isOutage(error)) {
            reachability.set(false);
            return true;
          }
          return error instanceof ResponseError && error.status === 429 && failures < limitedRetries;
        },
        retryDelay: (_failures, error) =>
          (error instanceof ResponseError ? error.retryAfterMs : null) ?? outageRetryMs,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
  return client;
}
