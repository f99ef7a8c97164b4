import { ResponseError, type Workspace } from "@clew/client";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { useApi } from "../../../api/app-context.ts";
import { workspacesQuery } from "../../../api/queries.ts";
import { paths, searchFieldId } from "../../../paths.ts";
import { announce } from "../../../ui/announce.ts";
import { MoreButton } from "../../../ui/more-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Empty } from "../../../ui/states.tsx";
import { graphWords, workspaceWords } from "../../../words.ts";
import { MarkedText } from "../marked-text.tsx";
import { LastEdit, PageIcon, titleOf } from "../page-name.tsx";
import { Pending } from "../pending.tsx";
import { PlaceLine } from "../place-line.tsx";
import { type Continuation, type FoundPage, type FoundPart, findPages, joinParts } from "./found-pages.ts";
import { firstReadOf, sizeOf } from "./growing-graph.ts";
import { type GraphSearch, isFiltered, queryOf } from "./search-params.ts";
import { searchWords } from "./words.ts";

/** The number of pages found; for a text search, of pages with every word. */
function countOf({ texts, total }: FoundPart, shown: number): string {
  return texts === null ? searchWords.count(total ?? shown) : searchWords.matchCount(total, shown);
}

/** The results, best first. */
export function Results({ search }: { search: GraphSearch }) {
  const api = useApi();
  const query = useInfiniteQuery({
    queryKey: ["found", queryOf(search)],
    queryFn: ({ pageParam, signal }) => findPages(api, search, pageParam, signal),
    initialPageParam: null as Continuation | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const found = joinParts(query.data?.pages ?? []);
  // The view keeps them current.
  const { data: workspaces = [] } = useQuery(workspacesQuery(api));
  const isEmpty = query.data !== undefined && found.length === 0;
  const mayGrow = isEmpty || firstReadOf(workspaces).length > 0;
  useRepeated(query.refetch, mayGrow ? sizeOf(workspaces) : null);
  const [first] = query.data?.pages ?? [];
  const counted = first === undefined ? null : countOf(first, found.length);
  useEffect(() => {
    if (counted !== null) announce(counted);
  }, [counted]);

  const authors = knownAuthors(query.error);
  if (authors !== null)
    return (
      <NothingFound search={search} title={searchWords.unknownPerson}>
        {authors}
      </NothingFound>
    );
  if (query.data === undefined) return <Pending query={query} />;
  if (isEmpty)
    return <NoMatch search={search} workspaces={workspaces} unfiltered={first?.unfiltered ?? null} />;
  return (
    <section aria-label={searchWords.results} className="grid gap-3" aria-busy={query.isPlaceholderData}>
      <p className="text-sm text-quiet">{counted}</p>
      {first?.texts == null ? null : <Limits {...first.texts} />}
      <ol data-results="" className="card divide-y divide-line" onKeyDown={moveBetweenLinks}>
        {found.map((item) => (
          <Result key={item.node.id} item={item} />
        ))}
      </ol>
      <MoreButton query={query} />
    </section>
  );
}

/**
 * Asks again whenever the graph has changed: while it is read for the first time, since most links and texts are missing then, and
 * once it was. Results of a known graph stay as they are under a reader's eyes.
 */
function useRepeated(refetch: () => unknown, graph: string | null): void {
  const before = useRef(graph);
  useEffect(() => {
    if (before.current === graph) return;
    before.current = graph;
    refetch();
  }, [graph, refetch]);
}

/** Up and down move between the titles, and from the first one back to the search field. */
function moveBetweenLinks(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-title]")];
  const item = document.activeElement?.closest("li");
  const now = links.findIndex((link) => item?.contains(link) === true);
  const next = now + step < 0 ? document.getElementById(searchFieldId) : links[now + step];
  if (next == null) return;
  event.preventDefault();
  next.focus();
}

function Result({ item }: { item: FoundPage }) {
  const { node, missing, hits } = item;
  return (
    <li className="grid gap-1 px-4 py-3.5 sm:px-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
        <h2 className="flex min-w-0 items-baseline gap-1.5 text-lg leading-snug">
          <PageIcon node={node} />
          <Link
            data-title=""
            className="font-medium text-thread underline-offset-4 hover:underline"
            to={paths.page}
            params={{ pageId: node.id }}
          >
            <bdi>{titleOf(node)}</bdi>
          </Link>
        </h2>
        <p className="text-sm text-quiet">
          {node.type === "page" ? "" : `${graphWords[node.type]}, `}
          <LastEdit node={node} />
        </p>
      </div>
      <PlaceLine item={item} />
      <Hits hits={hits} pageId={node.id} />
      {missing.length === 0 ? null : <p className="text-sm text-quiet">{searchWords.lacks(missing)}</p>}
    </li>
  );
}

/** The best place in the page as a text; the others as links. A link opens the page there. */
function Hits({ hits: [best, ...others], pageId }: { hits: FoundPage["hits"]; pageId: string }) {
  if (best === undefined) return null;
  return (
    <div className="grid max-w-prose gap-1 border-l-2 border-line pl-3 text-[0.9375rem] leading-normal">
      <p>
        <MarkedText text={best.snippet} marks={best.marks} />
      </p>
      <p className="flex flex-wrap gap-x-4 text-sm text-quiet">
        {[best, ...others.filter(({ heading }) => heading !== null)].map((hit) => (
          <Place key={`${hit.offset} ${hit.property}`} hit={hit} pageId={pageId} />
        ))}
      </p>
    </div>
  );
}

function Place({
  hit: { offset, heading, property },
  pageId,
}: {
  hit: FoundPage["hits"][number];
  pageId: string;
}) {
  if (property !== null) return <span>{searchWords.inProperty(property)}</span>;
  return (
    <Link
      className="link min-h-6 content-center"
      to={paths.page}
      params={{ pageId }}
      search={offset === null ? {} : { at: offset }}
    >
      <bdi>{heading === null ? searchWords.inText : searchWords.inHeading(heading)}</bdi>
    </Link>
  );
}

/** The limits that the search met. */
function Limits({
  indexed,
  ignored,
  truncated,
}: {
  indexed: number;
  ignored: readonly string[];
  truncated: boolean;
}) {
  const notes = [
    ...(indexed < 1 ? [searchWords.partly(indexed)] : []),
    ...(ignored.length > 0 ? [searchWords.ignored(ignored)] : []),
    ...(truncated ? [searchWords.truncated] : []),
  ];
  return notes.length === 0 ? null : <Notice kind="warn">{notes.join(" ")}</Notice>;
}

/** Who the authors are, if the search was refused because nobody has the name that it is for; null otherwise. */
function knownAuthors(error: unknown): string | null {
  const errors = error instanceof ResponseError ? error.problem?.errors : undefined;
  return errors?.find(({ path }) => path === "?by")?.message ?? null;
}

function nothingFor(q: string | undefined, unfiltered: number | null) {
  const { none, noneWhat, noneListed, noneListedWhat, noneFiltered, noneFilteredWhat } = searchWords;
  if (q === undefined) return { title: noneListed, advice: noneListedWhat };
  if (unfiltered === null) return { title: none(q), advice: noneWhat };
  return { title: noneFiltered(q, unfiltered), advice: noneFilteredWhat };
}

/** No page was found. While a workspace is read for the first time, more may come. */
function NoMatch({
  search,
  workspaces,
  unfiltered,
}: {
  search: GraphSearch;
  workspaces: readonly Workspace[];
  unfiltered: number | null;
}) {
  const { q } = search;
  const [unread] = firstReadOf(workspaces);
  const { title, advice } = nothingFor(q, unfiltered);
  return (
    <NothingFound search={search} title={title}>
      {unread === undefined ? advice : searchWords.noneYet(unread.name ?? workspaceWords.nameless)}
    </NothingFound>
  );
}

function NothingFound({
  search,
  title,
  children,
}: {
  search: GraphSearch;
  title: string;
  children: ReactNode;
}) {
  return (
    <Empty
      title={title}
      action={
        isFiltered(search) ? (
          <Link className="button" to={paths.graph} search={search.q === undefined ? {} : { q: search.q }}>
            {searchWords.clear}
          </Link>
        ) : undefined
      }
    >
      {children}
    </Empty>
  );
}
