import type { Paths, Workspace } from "@clew/client";
import { type QueryClient, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useId } from "react";
import { useApi } from "../../../api/app-context.ts";
import { paths } from "../../../paths.ts";
import { ConnectSource } from "../../../ui/connect-source.tsx";
import { useSpokenEnds } from "../../../ui/spoken-ends.ts";
import { Empty, Loaded, Loading } from "../../../ui/states.tsx";
import { SyncState } from "../../../ui/sync-state.tsx";
import { Time } from "../../../ui/time.tsx";
import { workspaceWords } from "../../../words.ts";
import { PageLink, titleOf } from "../page-name.tsx";
import { PathPicture } from "../path/path-picture.tsx";
import { importantQuery, proposedPathQuery, recentQuery } from "../queries.ts";
import { firstReadOf, sizeOf } from "./growing-graph.ts";
import { searchWords } from "./words.ts";

/** The start of a search: the progress of a first sync, or a path to try. */
export function StartLead({ workspaces }: { workspaces: UseQueryResult<Workspace[]> }) {
  const api = useApi();
  const important = useQuery(importantQuery(api));
  // Asked for here, so that an answer that came before the pages is not taken for one that came with them.
  const { data: path } = useQuery(proposedPathQuery(api));
  useSpokenEnds(workspaces.data);
  return (
    <Loaded query={workspaces}>
      {(all) => {
        const unread = firstReadOf(all);
        if (unread.length > 0)
          return unread.map((workspace) => <FirstSync key={workspace.id} workspace={workspace} />);
        return (
          <Loaded query={important}>
            {(pages) =>
              pages.length === 0 ? (
                <NoPages isConnected={all.length > 0} />
              ) : (
                <PathToTry path={path ?? null} />
              )
            }
          </Loaded>
        );
      }}
    </Loaded>
  );
}

/** The most important pages, and what changed; nothing while there are no pages. */
export function StartLists() {
  const api = useApi();
  const { data: pages = [] } = useQuery(importantQuery(api));
  const recent = useQuery(recentQuery(api));
  if (pages.length === 0) return null;
  return (
    <div className="grid gap-6 lg:grid-cols-2">
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
                    {node === null ? <span className="text-quiet">{id}</span> : <PageLink node={node} />}
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
  );
}

/** The queries of the start and the lists, whose answers change as a graph grows. */
const growing = ["important", "recent", "proposed path", "list count"];

/** The graph that a client's answers are of. */
const answeredGraphs = new WeakMap<QueryClient, string>();

/** Asks again when a workspace has more pages or links than before, or another sync has ended. */
export function useFreshGraph(workspaces: readonly Workspace[] | undefined): void {
  const client = useQueryClient();
  const graph = workspaces && sizeOf(workspaces);
  useEffect(() => {
    if (graph === undefined) return;
    const before = answeredGraphs.get(client);
    answeredGraphs.set(client, graph);
    // The first answers were asked for together with the workspaces.
    if (before === undefined || before === graph) return;
    void client.invalidateQueries({ predicate: ({ queryKey: [name] }) => growing.includes(String(name)) });
  }, [client, graph]);
}

/** A workspace that is being read for the first time: the progress, and what can be done until the end. */
function FirstSync({ workspace: { name, nodes, sync } }: { workspace: Workspace }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card grid gap-4 p-5 sm:p-6">
      <div className="grid gap-1">
        <h2 id={id} className="font-serif text-xl font-semibold">
          {searchWords.reading(name ?? workspaceWords.nameless)}
        </h2>
        <p className="max-w-prose text-quiet">
          {nodes === 0 ? searchWords.readingTitles : searchWords.readingTexts}
        </p>
      </div>
      <SyncState sync={sync} />
      <p className="flex flex-wrap gap-x-6 gap-y-2">
        <Link className="link" to={paths.newToken}>
          {searchWords.meanwhileToken}
        </Link>
        <Link className="link" to={paths.workspaces}>
          {searchWords.toWorkspaces}
        </Link>
      </p>
    </section>
  );
}

/** The reason why there are no pages, and what can be done about it. */
function NoPages({ isConnected }: { isConnected: boolean }) {
  return (
    <Empty
      title={searchWords.nothing}
      action={
        isConnected ? (
          <Link className="button button-primary" to={paths.workspaces}>
            {searchWords.toWorkspaces}
          </Link>
        ) : (
          <ConnectSource label={workspaceWords.connect} isPrimary />
        )
      }
    >
      {isConnected ? searchWords.nothingRead : searchWords.nothingWhat}
    </Empty>
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

type Path = Paths["paths"][number];

/** A path between two pages that people know, which leads through others. */
function PathToTry({ path }: { path: Path | null }) {
  if (path !== null) return <TryPath path={path} />;
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

function TryPath({ path }: { path: Path }) {
  const id = useId();
  const [from] = path.nodes;
  const to = path.nodes.at(-1);
  if (from === undefined || to === undefined) return null;
  return (
    <section aria-labelledby={id} className="card grid gap-4 border-thread/40 bg-thread-soft p-5 sm:p-6">
      <h2 id={id} className="font-serif text-xl font-semibold">
        {searchWords.tryPath(titleOf(from), titleOf(to))}
      </h2>
      <PathPicture paths={[path]} />
      <Link
        className="button button-primary justify-self-start"
        to={paths.path}
        search={{ from: from.id, to: to.id }}
      >
        {searchWords.seePath}
      </Link>
    </section>
  );
}
