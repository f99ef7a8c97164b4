import type { Client, Neighbors, NodeDetail } from "@clew/client";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { useApi } from "../../../api/app-context.ts";
import { explain } from "../../../api/explain.ts";
import { linkKinds } from "../../../api/link-kinds.ts";
import { paths } from "../../../paths.ts";
import { Loaded } from "../../../ui/states.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { graphWords, pictureWords } from "../../../words.ts";
import { kindsOf, readPageSearch } from "../page/page-params.ts";
import { titleOf } from "../page-name.tsx";
import { dashes, widths } from "./drawing.tsx";
import { FoldedLinks } from "./folded-links.tsx";
import { layOut, type Positions } from "./layout.ts";
import { readLinksAmong } from "./links-among.ts";
import { LocalGraph } from "./local-graph.tsx";
import { PictureTable } from "./picture-table.tsx";
import { downloadPng } from "./png.ts";
import {
  foldHubs,
  growScene,
  mostNodes,
  type Scene,
  startScene,
  visibleScene,
  withLinksAmong,
} from "./scene.ts";

const route = getRouteApi(paths.page);
const perCall = 200;

/** Reads the nearest pages, as many as a picture holds. */
async function readNearest(api: Client, id: string, depth: number, signal: AbortSignal) {
  const items: Neighbors["items"] = [];
  let cursor: string | null = null;
  let isCut = false;
  do {
    const part: Neighbors = await api.listNeighbors(
      { id, depth, limit: perCall, cursor: cursor ?? undefined },
      { signal },
    );
    items.push(...part.items);
    cursor = part.next_cursor;
    isCut ||= part.truncated;
  } while (cursor !== null && items.length < 2 * mostNodes);
  return { items: foldHubs(items), isCut: isCut || cursor !== null };
}

/** The pages around a page as a picture, and the same as a table. The URL has the steps and the kinds of links. */
export function GraphTab({ page }: { page: NodeDetail }) {
  const api = useApi();
  const { depth = 1 } = route.useSearch();
  const query = useQuery({
    queryKey: ["nearest", page.id, depth],
    queryFn: ({ signal }) => readNearest(api, page.id, depth, signal),
  });
  return (
    <Loaded query={query} loading={<span className="loading skeleton h-[32rem]" />}>
      {({ items, isCut }) => (
        <Around key={depth} page={page} items={items} isCut={isCut || items.length >= mostNodes} />
      )}
    </Loaded>
  );
}

/** A scene with the places of its pages. */
interface Drawn {
  readonly scene: Scene;
  readonly positions: Positions;
}

function Around({
  page,
  items,
  isCut,
}: {
  page: NodeDetail;
  items: readonly Neighbors["items"][number][];
  isCut: boolean;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const search = route.useSearch();
  const [drawn, setDrawn] = useState<Drawn>(() => {
    const scene = growScene(startScene(page), page.id, items);
    return { scene, positions: layOut(scene) };
  });
  const [lit, setLit] = useState<string | null>(null);
  /** The page whose folded links are listed. */
  const [unfolded, setUnfolded] = useState<string | null>(null);
  const growing = useRef(new Set<string>());
  const kinds = kindsOf(search);
  const kindList = kinds.join(",");
  const ids = useMemo(() => [...drawn.scene.nodes.keys()].toSorted(), [drawn.scene]);
  const { data: links } = useQuery({
    queryKey: ["links among", ids],
    queryFn: ({ signal }) => readLinksAmong(api, ids, signal),
    placeholderData: keepPreviousData,
  });
  const visible = useMemo(
    () => visibleScene(withLinksAmong(drawn.scene, links ?? []), kindsOf({ kinds: kindList })),
    [drawn.scene, links, kindList],
  );

  const hub = unfolded === null ? undefined : visible.nodes.get(unfolded);
  const grow = async (id: string) => {
    if (growing.current.has(id)) return;
    growing.current.add(id);
    try {
      const part = await queries.fetchQuery({
        queryKey: ["grown", id],
        queryFn: ({ signal }) => api.listNeighbors({ id, limit: perCall }, { signal }),
      });
      setDrawn(({ scene, positions }) => {
        const next = growScene(scene, id, part.items);
        return { scene: next, positions: layOut(next, positions) };
      });
    } catch (error) {
      showToast(explain(error));
    } finally {
      growing.current.delete(id);
    }
  };
  const download = async () => {
    const isDone = await downloadPng(visible, drawn.positions, titleOf(page));
    if (!isDone) showToast(pictureWords.downloadFailed);
  };

  return (
    <div className="grid gap-5">
      <Controls search={search} pageId={page.id} onDownload={download} />
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="grid min-w-0 content-start gap-2">
          <LocalGraph
            scene={visible}
            positions={drawn.positions}
            title={titleOf(page)}
            lit={lit}
            onLight={setLit}
            onUnfold={setUnfolded}
          />
          {isCut ? (
            <p className="text-sm text-quiet">{pictureWords.cut(drawn.scene.nodes.size - 1)}</p>
          ) : null}
          <p className="text-sm text-quiet">{pictureWords.help}</p>
        </div>
        <PictureTable scene={visible} lit={lit} onLight={setLit} />
      </div>
      {hub === undefined ? null : (
        <FoldedLinks
          scene={visible}
          of={hub}
          onShow={() => {
            setUnfolded(null);
            void grow(hub.node.id);
          }}
          onClose={() => setUnfolded(null)}
        />
      )}
    </div>
  );
}

function Controls({
  search,
  pageId,
  onDownload,
}: {
  search: ReturnType<typeof route.useSearch>;
  pageId: string;
  onDownload: () => Promise<void>;
}) {
  const navigate = useNavigate();
  const change = (changes: Readonly<Record<string, unknown>>) =>
    void navigate({
      to: paths.page,
      params: { pageId },
      search: readPageSearch({ ...search, ...changes }),
      replace: true,
      resetScroll: false,
    });
  const kinds = kindsOf(search);
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
      <fieldset className="flex items-center gap-3">
        <legend className="float-left mr-3 text-sm text-quiet">{pictureWords.depth}</legend>
        {([1, 2] as const).map((depth) => (
          <label key={depth} className="flex min-h-8 items-center gap-1.5">
            <input
              type="radio"
              name="depth"
              className="size-4"
              checked={(search.depth ?? 1) === depth}
              onChange={() => change({ depth })}
            />
            {pictureWords.depths[depth]}
          </label>
        ))}
      </fieldset>
      <fieldset className="flex flex-wrap items-center gap-x-4">
        <legend className="float-left mr-3 text-sm text-quiet">{pictureWords.kinds}</legend>
        {linkKinds.map((kind) => (
          <label key={kind} className="flex min-h-8 items-center gap-1.5">
            <input
              type="checkbox"
              className="size-4"
              checked={kinds.includes(kind)}
              onChange={({ target }) =>
                change({
                  kinds: linkKinds
                    .filter((each) => (each === kind ? target.checked : kinds.includes(each)))
                    .join(","),
                })
              }
            />
            {graphWords.kindsOfMany[kind]}
            <svg aria-hidden="true" width="24" height="4" className="stroke-quiet">
              <line x1="0" y1="2" x2="24" y2="2" strokeWidth={widths[kind]} strokeDasharray={dashes[kind]} />
            </svg>
          </label>
        ))}
      </fieldset>
      <button type="button" className="button button-small ml-auto" onClick={() => void onDownload()}>
        {pictureWords.download}
      </button>
    </div>
  );
}
