import { type Client, ResponseError, type Workspace } from "@clew/client";
import type { MapColour } from "@clew/contract";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useApi } from "../../api/app-context.ts";
import { useLiveWorkspaces } from "../../api/live-workspaces.ts";
import { isOutage, reachability } from "../../api/reachability.ts";
import { isSyncing } from "../../api/sync-progress.ts";
import { paths } from "../../paths.ts";
import { ConnectSource } from "../../ui/connect-source.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { SyncState } from "../../ui/sync-state.tsx";
import { brand, workspaceWords } from "../../words.ts";
import { placeOfRegion } from "./camera.ts";
import { MapBar } from "./map-bar.tsx";
import { type MapFile, readMapFile, transposed } from "./map-file.ts";
import { MapNames } from "./map-names.ts";
import {
  type ChangeSearch,
  isList,
  litTokenOf,
  type MapSearch,
  placeText,
  readMapSearch,
} from "./map-params.ts";
import { LitStage, MapStage, type StageProps } from "./map-stage.tsx";
import { RegionTable } from "./region-table.tsx";
import { mapWords } from "./words.ts";

const route = getRouteApi(paths.map);

/** The map of one workspace, to the edges of the window. The URL has what is shown. */
export function MapView() {
  const search = route.useSearch();
  const change = useChange();
  const workspaces = useLiveWorkspaces();
  const all = workspaces.data ?? [];
  const workspace = all.find(({ id }) => id === search.workspace) ?? all[0];
  useEffect(() => {
    document.title = `${mapWords.title} · ${brand}`;
  }, []);
  const hasMap = workspace !== undefined && workspace.nodes > 0;
  return (
    <div className="map-frame">
      {hasMap ? (
        <ReadMap key={workspace.id} workspace={workspace} all={all} search={search} change={change} />
      ) : (
        <>
          <h1 tabIndex={-1} className="px-4 py-2 text-xl">
            {mapWords.title}
          </h1>
          <div className="overflow-auto p-4 md:p-10">
            <Loaded query={workspaces}>{() => <NoMap workspace={workspace} />}</Loaded>
          </div>
        </>
      )}
    </div>
  );
}

function useChange(): ChangeSearch {
  const navigate = useNavigate();
  const router = useRouter();
  const [here] = useState(() => router.latestLocation.pathname);
  return useCallback<ChangeSearch>(
    (changes) => {
      // A map that comes to rest while another view is on its way would lead back to itself.
      if (router.latestLocation.pathname !== here) return;
      void navigate({
        to: paths.map,
        search: (before: Readonly<Record<string, unknown>>) => readMapSearch({ ...before, ...changes }),
        replace: true,
        resetScroll: false,
      });
    },
    [navigate, router, here],
  );
}

/** The reason why there is no map, and the way on. */
function NoMap({ workspace }: { workspace: Workspace | undefined }) {
  if (workspace === undefined)
    return (
      <Empty title={mapWords.nothing} action={<ConnectSource label={workspaceWords.connect} isPrimary />}>
        {mapWords.nothingConnected}
      </Empty>
    );
  const name = workspace.name ?? workspaceWords.nameless;
  if (isSyncing(workspace.sync))
    return (
      <Empty title={mapWords.nothing} action={<SyncState sync={workspace.sync} />}>
        {mapWords.nothingYet(name)}
      </Empty>
    );
  return (
    <Empty
      title={mapWords.nothing}
      action={
        <span className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <ConnectSource label={mapWords.shareMore} provider={workspace.provider} isPrimary />
          <Link className="link" to={paths.workspaces}>
            {mapWords.toWorkspaces}
          </Link>
        </span>
      }
    >
      {mapWords.nothingShared(name)}
    </Empty>
  );
}

/** A workspace's map as one of its pictures has it. */
const mapQuery = (
  api: Client,
  { id, last_synced_at: syncedAt }: Workspace,
  isByLinks: boolean,
  colour: MapColour,
) => ({
  // A later sync has another map.
  queryKey: ["map", id, syncedAt, isByLinks, colour],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    readMapFile(await api.getMap({ id, links: isByLinks, colour }, { signal })),
  structuralSharing: false as const,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 60_000,
});

/** The number of times that a map is asked for while it is being made, some seconds each. */
const mostWaits = 40;

function ReadMap({
  workspace,
  all,
  search,
  change,
}: {
  workspace: Workspace;
  all: readonly Workspace[];
  search: MapSearch;
  change: ChangeSearch;
}) {
  const api = useApi();
  const isByLinks = search.by !== "folder";
  const colouring = search.colour ?? "region";
  const colour = isList(colouring) ? "region" : colouring;
  // A map that is still being made is no outage.
  const retry = (failures: number, error: Error) => {
    if (error instanceof ResponseError && error.status === 503) return failures < mostWaits;
    if (isOutage(error)) reachability.set(false);
    return isOutage(error);
  };
  const places = useQuery({
    ...mapQuery(api, workspace, isByLinks, "region"),
    retry,
    placeholderData: keepPreviousData,
  });
  const coloured = useQuery({ ...mapQuery(api, workspace, isByLinks, colour), retry });
  const download = useRef<(() => void) | null>(null);
  const hadFocus = useRef(false);
  const isTransposed = useSyncExternalStore(onWindowShape, isHigh);
  const read = places.data;
  const map = useMemo(
    () => (read !== undefined && isTransposed ? transposed(read) : read),
    [read, isTransposed],
  );
  const names = useNames(workspace.id, map);
  const litToken = litTokenOf(search);
  const [isPicking, setPicking] = useState(false);
  return (
    <>
      <MapBar
        workspace={workspace}
        all={all}
        search={search}
        change={change}
        onChoose={(id) => {
          change(isPicking ? { to: id, at: undefined } : { page: id, to: undefined, at: undefined });
          setPicking(false);
        }}
        onDownload={() => download.current?.()}
      />
      {search.view === "table" ? (
        <div className="overflow-auto p-4 md:px-10 md:py-6">
          <Loaded query={places}>
            {(whole) => (
              <RegionTable
                map={whole}
                onShow={(region) =>
                  change({ view: undefined, at: placeText(placeOfRegion(whole, region), false) })
                }
              />
            )}
          </Loaded>
        </div>
      ) : null}
      {search.view !== "table" && map !== undefined && names !== null ? (
        <Stage
          key={`${map.graphVersion} ${map.isByLinks} ${isTransposed}`}
          tokenId={litToken}
          workspace={workspace}
          map={map}
          isTransposed={isTransposed}
          colours={isOfSameMap(coloured.data, map) ? coloured.data.colours : null}
          names={names}
          search={search}
          change={change}
          isPicking={isPicking}
          onPicking={setPicking}
          download={download}
          hadFocus={hadFocus}
        />
      ) : null}
      {search.view !== "table" && map === undefined ? (
        <div className="grid place-content-center p-6">
          <Loaded query={places} loading={<Making />}>
            {() => null}
          </Loaded>
        </div>
      ) : null}
    </>
  );
}

/** The picture, with what a token reads if the URL names one. */
function Stage({ tokenId, ...props }: StageProps & { readonly tokenId: number | null }) {
  return tokenId === null ? <MapStage {...props} /> : <LitStage {...props} tokenId={tokenId} />;
}

function Making() {
  return (
    <p className="loading text-quiet" role="status">
      {mapWords.making}
    </p>
  );
}

/** Whether the window is so high that the map, which is wide, would leave most of it empty. */
const highWindow = window.matchMedia("(aspect-ratio < 0.85)");
const isHigh = () => highWindow.matches;

function onWindowShape(listener: () => void): () => void {
  highWindow.addEventListener("change", listener);
  return () => highWindow.removeEventListener("change", listener);
}

const isOfSameMap = (coloured: MapFile | undefined, map: MapFile): coloured is MapFile =>
  coloured?.graphVersion === map.graphVersion && coloured.isByLinks === map.isByLinks;

/** The names of a map. A map that is read anew, of the same version, has the same ones. */
function useNames(workspace: string, map: MapFile | undefined): MapNames | null {
  const api = useApi();
  const queries = useQueryClient();
  const { graphVersion, count = 0 } = map ?? {};
  return useMemo(() => {
    if (graphVersion === undefined) return null;
    // Positions belong to one version of the graph, so a newer one needs its own map.
    const onNewer = () => void queries.invalidateQueries({ queryKey: ["map", workspace] });
    return new MapNames(api, { workspace, graphVersion, count, onNewer });
  }, [api, queries, workspace, graphVersion, count]);
}
