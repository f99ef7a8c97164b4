import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Link,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { dashboardUrl } from "../session/urls.ts";
import { Empty, Loading } from "../ui/states.tsx";
import { View } from "../ui/view.tsx";
import { AccountView } from "../views/account/account-view.tsx";
import { ActivityView } from "../views/activity/activity-view.tsx";
import { readPageSearch } from "../views/graph/page/page-params.ts";
import { readPathSearch } from "../views/graph/path/path-params.ts";
import { readGraphSearch } from "../views/graph/search/search-params.ts";
import { readMapSearch } from "../views/map/map-params.ts";
import type { DraftLink } from "../views/tokens/draft.ts";
import { NewTokenView } from "../views/tokens/new-token-view.tsx";
import { TokenView } from "../views/tokens/token-view.tsx";
import { TokensView } from "../views/tokens/tokens-view.tsx";
import { WorkspacesView } from "../views/workspaces/workspaces-view.tsx";
import { failureWords, shellWords } from "../words.ts";
import { Frame } from "./frame.tsx";

const root = createRootRoute({ component: Frame });

const at = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path }) as const;

/** A parameter of the URL as a text; one that is missing or repeated is left out. */
const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

const optional = <Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: string };

const routes = [
  createRoute({
    ...at(paths.home),
    beforeLoad: () => {
      throw redirect({ to: paths.graph, replace: true });
    },
  }),
  // The graph, the map and the view about a program are chunks of their own.
  createRoute({
    ...at(paths.graph),
    validateSearch: readGraphSearch,
    component: lazyRouteComponent(() => import("../views/graph/search/search-view.tsx"), "SearchView"),
  }),
  createRoute({
    ...at(paths.page),
    validateSearch: readPageSearch,
    component: lazyRouteComponent(() => import("../views/graph/page/page-view.tsx"), "PageView"),
  }),
  createRoute({
    ...at(paths.path),
    validateSearch: readPathSearch,
    component: lazyRouteComponent(() => import("../views/graph/path/path-view.tsx"), "PathView"),
  }),
  createRoute({
    ...at(paths.map),
    validateSearch: readMapSearch,
    component: lazyRouteComponent(() => import("../views/map/map-view.tsx"), "MapView"),
  }),
  createRoute({ ...at(paths.workspaces), component: WorkspacesView }),
  createRoute({ ...at(paths.tokens), component: TokensView }),
  createRoute({
    ...at(paths.newToken),
    validateSearch: ({ name, scopes, days }: Record<string, unknown>): DraftLink => ({
      ...optional("name", text(name)),
      ...optional("scopes", text(scopes)),
      ...(Number.isInteger(days) ? { days: Number(days) } : {}),
    }),
    component: NewTokenView,
  }),
  createRoute({ ...at(paths.token), component: TokenView }),
  createRoute({ ...at(paths.activity), component: ActivityView }),
  createRoute({ ...at(paths.account), component: AccountView }),
  createRoute({
    ...at(paths.connect),
    validateSearch: ({ request }: Record<string, unknown>) => optional("request", text(request)),
    component: lazyRouteComponent(() => import("../views/connect/connect-view.tsx"), "ConnectView"),
  }),
] as const;

export function createAppRouter() {
  return createRouter({
    routeTree: root.addChildren([...routes]),
    basepath: dashboardUrl.pathname,
    defaultPreload: "intent",
    scrollRestoration: true,
    defaultPendingComponent: Loading,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: Failed,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

function NotFound() {
  return (
    <View title={shellWords.notFound}>
      <p>{shellWords.notFoundWhy}</p>
      <p>
        <Link className="link" to={paths.home}>
          {shellWords.openGraph}
        </Link>
      </p>
    </View>
  );
}

/** A fault of the dashboard itself, or a part of it that could not be loaded. */
function Failed({ reset }: ErrorComponentProps) {
  return (
    <View title={shellWords.failed}>
      <Empty
        title={failureWords.own}
        action={
          <button type="button" className="button" onClick={reset}>
            {failureWords.tryAgain}
          </button>
        }
      />
    </View>
  );
}
