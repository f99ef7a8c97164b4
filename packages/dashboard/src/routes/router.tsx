import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Link,
  redirect,
} from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { dashboardUrl } from "../session/urls.ts";
import { Empty } from "../ui/states.tsx";
import { View } from "../ui/view.tsx";
import { readPageSearch } from "../views/graph/page/page-params.ts";
import { readPathSearch } from "../views/graph/path/path-params.ts";
import { readGraphSearch } from "../views/graph/search/search-params.ts";
import type { DraftLink } from "../views/tokens/draft.ts";
import { failureWords, shellWords } from "../words.ts";
import { Frame } from "./frame.tsx";
import * as views from "./lazy-views.ts";
import { Pending } from "./pending.tsx";

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
  createRoute({
    ...at(paths.graph),
    validateSearch: readGraphSearch,
    component: views.SearchView,
  }),
  createRoute({
    ...at(paths.page),
    validateSearch: readPageSearch,
    component: views.PageView,
  }),
  createRoute({
    ...at(paths.path),
    validateSearch: readPathSearch,
    component: views.PathView,
  }),
  createRoute({
    ...at(paths.map),
    validateSearch: ({ workspace }: Record<string, unknown>) => optional("workspace", text(workspace)),
    component: views.MapView,
  }),
  createRoute({ ...at(paths.workspaces), component: views.WorkspacesView }),
  createRoute({ ...at(paths.tokens), component: views.TokensView }),
  createRoute({
    ...at(paths.newToken),
    validateSearch: ({ name, scopes, days }: Record<string, unknown>): DraftLink => ({
      ...optional("name", text(name)),
      ...optional("scopes", text(scopes)),
      ...(Number.isInteger(days) ? { days: Number(days) } : {}),
    }),
    component: views.NewTokenView,
  }),
  createRoute({ ...at(paths.token), component: views.TokenView }),
  createRoute({ ...at(paths.activity), component: views.ActivityView }),
  createRoute({ ...at(paths.account), component: views.AccountView }),
  createRoute({
    ...at(paths.connect),
    validateSearch: ({ request }: Record<string, unknown>) => optional("request", text(request)),
    component: views.ConnectView,
  }),
] as const;

export function createAppRouter() {
  return createRouter({
    routeTree: root.addChildren([...routes]),
    basepath: dashboardUrl.pathname,
    defaultPreload: "intent",
    scrollRestoration: true,
    defaultPendingComponent: Pending,
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
