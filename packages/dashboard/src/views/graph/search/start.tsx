import type { Node, Paths } from "@clew/client";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { useApi } from "../../../api/app-context.ts";
import { paths } from "../../../routes/paths.ts";
import { Empty, Loaded, Loading } from "../../../ui/states.tsx";
import { Time } from "../../../ui/time.tsx";
import { searchWords } from "../../../words.ts";
import { PageLink, titleOf } from "../page-name.tsx";
import { importantQuery, recentQuery } from "../queries.ts";

/** Where to begin: a path to try, the most important pages, and what changed. */
export function Start() {
  const api = useApi();
  const important = useQuery(importantQuery(api));
  const recent = useQuery(recentQuery(api));
  return (
    <Loaded query={important}>
      {(pages) =>
        pages.length === 0 ? (
          <Empty
            title={searchWords.nothing}
            action={
              <Link className="button button-primary" to={paths.workspaces}>
                {searchWords.toWorkspaces}
              </Link>
            }
          >
            {searchWords.nothingWhat}
          </Empty>
        ) : (
          <div className="grid gap-6 lg:grid-cols-2">
            <div className="lg:col-span-2">
              <PathToTry pages={pages} changed={recent.data?.flatMap(({ node }) => node ?? []) ?? null} />
            </div>
            <Part title={searchWords.important}>
              <ol className="divide-y divide-line">
                {pages.map((node) => (
                  <li key={node.id} className="py-2">
                    <PageLink node={node} />
                  </li>
                ))}
              </ol>
            </Part>
            <Part title={searchWords.recent}>
              <Loaded query={recent} loading={<Loading />}>
                {(items) =>
                  items.length === 0 ? (
                    <p className="text-quiet">{searchWords.noRecent}</p>
                  ) : (
                    <ul className="divide-y divide-line">
                      {items.map(({ node, change, at, node_id: id }) => (
                        <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
                          {node === null ? (
                            <span className="text-quiet">{id}</span>
                          ) : (
                            <PageLink node={node} />
                          )}
                          <span className="text-sm text-quiet">
                            {searchWords.changes[change]} <Time value={at} />
                          </span>
                        </li>
                      ))}
                    </ul>
                  )
                }
              </Loaded>
            </Part>
          </div>
        )
      }
    </Loaded>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card grid content-start gap-2 p-5 sm:p-6">
      <h2 id={id} className="font-serif text-xl font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** How many ends are tried from the most important page, to offer the longest of the paths. */
const triedEnds = 4;

/** A path between two pages that people know, which leads through others. */
function PathToTry({ pages, changed }: { pages: readonly Node[]; changed: readonly Node[] | null }) {
  const api = useApi();
  const [start] = pages;
  // Pages of little importance are rarely linked with the first one directly.
  const ends = [...(changed ?? []), ...pages]
    .filter(({ id, type }, index, all) => {
      const isFirst = all.findIndex((each) => each.id === id) === index;
      return type === "page" && id !== start?.id && isFirst;
    })
    .toSorted((a, b) => a.importance - b.importance || (a.id < b.id ? -1 : 1))
    .slice(0, triedEnds);
  const tried = useQueries({
    queries: ends.map((end) => ({
      queryKey: ["path to try", start?.id, end.id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.findPaths({ from: start?.id ?? "", to: end.id }, { signal }),
      enabled: changed !== null,
    })),
  });
  const found = tried.flatMap(({ data }) => data?.paths ?? []).toSorted((a, b) => b.length - a.length);
  const [longest] = found;
  const isReady = tried.every(({ isPending }) => !isPending);
  if (isReady && longest !== undefined) return <TryPath path={longest} />;
  return (
    <section className="card flex min-h-40 flex-wrap content-center items-center justify-between gap-4 p-5 sm:p-6">
      <div className="grid gap-1">
        <h2 className="font-serif text-xl font-semibold">{searchWords.findPath}</h2>
        <p className="text-quiet">{searchWords.findPathWhat}</p>
      </div>
      <Link className="button" to={paths.path}>
        {searchWords.findPath}
      </Link>
    </section>
  );
}

function TryPath({ path: { nodes } }: { path: Paths["paths"][number] }) {
  const id = useId();
  const [from] = nodes;
  const to = nodes.at(-1);
  if (from === undefined || to === undefined) return null;
  return (
    <section aria-labelledby={id} className="card grid gap-4 border-thread/40 bg-thread-soft p-5 sm:p-6">
      <h2 id={id} className="font-serif text-xl font-semibold">
        {searchWords.tryPath(titleOf(from), titleOf(to))}
      </h2>
      <ol className="flex flex-wrap items-center gap-x-2 gap-y-2">
        {nodes.map((node, index) => (
          <li key={node.id} className="flex items-center gap-2">
            {index === 0 ? null : <span aria-hidden="true" className="h-0.5 w-6 rounded bg-thread sm:w-10" />}
            <span className="rounded-full border border-line bg-surface px-3 py-1">
              <PageLink node={node} />
            </span>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3">
        <Link className="button button-primary" to={paths.path} search={{ from: from.id, to: to.id }}>
          {searchWords.seePath}
        </Link>
        <Link className="button" to={paths.path}>
          {searchWords.findPath}
        </Link>
      </div>
    </section>
  );
}
