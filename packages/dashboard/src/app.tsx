import { createClient } from "@clew/client";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { AppContext } from "./api/app-context.ts";
import { createQueryClient } from "./api/query-client.ts";
import { forgetChoices } from "./api/recent-choices.ts";
import { preloadViews } from "./routes/lazy-views.ts";
import { createAppRouter } from "./routes/router.tsx";
import type { SessionKeeper } from "./session/keeper.ts";
import { clewUrl } from "./session/urls.ts";
import { showToast } from "./ui/toast.tsx";

/** The signed-in application on the page. */
export interface App {
  close(): void;
}

/** Milliseconds after which the other views are loaded: the first one and its answers come before them. */
const preloadAfterMs = 5_000;

/** Opens the application, whose client uses `send`. `note` is about a sign-in that ended while a session was open. */
export function openApp(
  root: HTMLElement,
  keeper: SessionKeeper,
  send: typeof fetch,
  note: string | null,
): App {
  const queries = createQueryClient();
  const api = createClient({ url: clewUrl, fetch: send, retries: 0 });
  // The root is emptied by `close`, and its content replaced by React.
  root.replaceChildren();
  const mounted = createRoot(root);
  mounted.render(
    <StrictMode>
      <AppContext value={{ api, keeper }}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={createAppRouter()} />
        </QueryClientProvider>
      </AppContext>
    </StrictMode>,
  );
  const preloading = setTimeout(preloadViews, preloadAfterMs);
  if (note !== null) showToast(note);
  return {
    close() {
      forgetChoices();
      clearTimeout(preloading);
      queries.clear();
      mounted.unmount();
    },
  };
}
