import { type NodeDetail, ResponseError } from "@clew/client";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useApi } from "../../../api/app-context.ts";
import { paths } from "../../../paths.ts";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { View } from "../../../ui/view.tsx";
import { graphWords } from "../../../words.ts";
import { LastEdit, PageIcon, titleOf } from "../page-name.tsx";
import { GraphTab, PicturePreview } from "../picture/lazy-picture.tsx";
import { pageQuery } from "../queries.ts";
import { Backlinks, Links, Unresolved } from "./links.tsx";
import { PageActions, PageActionsMenu } from "./page-actions.tsx";
import { PageText } from "./page-text.tsx";
import { People } from "./people.tsx";
import { Properties } from "./properties.tsx";
import { Related } from "./related.tsx";
import { Rows } from "./rows.tsx";
import { pageWords } from "./words.ts";

const route = getRouteApi(paths.page);

/** A page or database: its text or rows, and how it is linked. */
export function PageView() {
  const { pageId } = route.useParams();
  // A picture needs the room: the facts are on the other tab.
  const isPicture = route.useSearch().view === "graph";
  const query = useQuery(pageQuery(useApi(), pageId));
  const { data: page } = query;
  if (page === undefined && isGone(query.error)) return <Gone />;
  // The frame stays while the page is being read, and with it the focus on the title.
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {page === undefined ? null : <Breadcrumb page={page} />}
      <View
        title={page === undefined ? pageWords.fallbackTitle : titleOf(page)}
        icon={page === undefined ? undefined : <PageIcon node={page} size={28} />}
        width="full"
        lead={page === undefined || isPicture ? undefined : <Facts page={page} />}
        actions={page === undefined ? undefined : <PageActions page={page} />}
        menu={page === undefined ? undefined : <PageActionsMenu page={page} />}
      >
        <Loaded query={query}>{(read) => <Content key={read.id} page={read} />}</Loaded>
      </View>
    </div>
  );
}

const isGone = (error: unknown): boolean => error instanceof ResponseError && error.status === 404;

function Gone() {
  return (
    <View title={pageWords.gone}>
      <Empty
        title={pageWords.gone}
        action={
          <Link className="button" to={paths.graph}>
            {pageWords.backToGraph}
          </Link>
        }
      >
        {pageWords.goneWhat}
      </Empty>
    </View>
  );
}

function Content({ page }: { page: NodeDetail }) {
  const { view } = route.useSearch();
  const isPicture = view === "graph";
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)] ${isPicture ? "-mt-3 gap-3" : "gap-4 md:gap-8"}`}>
      <nav aria-label={pageWords.views} className="flex gap-1 border-b border-line">
        <ViewLink view={undefined} label={pageWords.textView} />
        <ViewLink view="graph" label={pageWords.graphView} />
      </nav>
      {isPicture ? (
        <GraphTab page={page} />
      ) : (
        <>
          {page.type === "database" ? <Rows database={page} /> : null}
          <PageBody page={page} />
        </>
      )}
    </div>
  );
}

function ViewLink({ view, label }: { view: "graph" | undefined; label: string }) {
  const { view: shown } = route.useSearch();
  const { pageId } = route.useParams();
  const isShown = shown === view;
  return (
    <Link
      to={paths.page}
      params={{ pageId }}
      search={view === undefined ? {} : { view }}
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={isShown ? "page" : undefined}
      className={`tab grid content-center ${isShown ? "border-thread font-semibold text-thread" : ""}`}
      resetScroll={false}
    >
      {label}
    </Link>
  );
}

function Breadcrumb({ page: { breadcrumb } }: { page: NodeDetail }) {
  return (
    <nav aria-label={pageWords.place}>
      <ol className="flex flex-wrap gap-x-2 text-sm text-quiet">
        <li>
          <Link className="link" to={paths.graph}>
            {graphWords.graph}
          </Link>
        </li>
        {breadcrumb.map((above) => (
          <li key={above.id} className="flex gap-2">
            <span aria-hidden="true">/</span>
            <Link className="link" to={paths.page} params={{ pageId: above.id }}>
              <bdi>{titleOf(above)}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The importance from which on it says something about a page. */
const notable = 0.9;

function Facts({ page }: { page: NodeDetail }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-4 max-md:text-sm">
      <span>{graphWords[page.type]}</span>
      <span className="inline-block first-letter:uppercase">
        <LastEdit node={page} />
      </span>
      <span>{pageWords.linkCount(page.degree.in + page.degree.out)}</span>
      {page.importance < notable ? null : (
        <span className="max-md:hidden">{pageWords.importance(page.importance)}</span>
      )}
    </span>
  );
}

function PageBody({ page }: { page: NodeDetail }) {
  return (
    <div className="grid gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 content-start gap-10">
        {page.type !== "page" && page.content_state === "empty" ? null : (
          <div className="min-w-0 max-w-3xl">
            <PageText page={page} />
          </div>
        )}
        <div className="grid max-w-3xl gap-8">
          <Backlinks page={page} />
          <Links page={page} />
          <Unresolved page={page} />
        </div>
      </div>
      <aside className="grid content-start gap-8">
        <PicturePreview page={page} />
        <Properties page={page} />
        <People page={page} />
        <Related page={page} />
        <Link className="link" to={paths.graph} search={{ under: page.id }}>
          {pageWords.searchBelow}
        </Link>
      </aside>
    </div>
  );
}
