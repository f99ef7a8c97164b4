import type { NodeDetail } from "@clew/client";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { useApi } from "../../../api/app-context.ts";
import { explain } from "../../../api/explain.ts";
import { linkKinds } from "../../../api/link-kinds.ts";
import { paths } from "../../../paths.ts";
import { Loaded } from "../../../ui/states.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { kindsOf } from "../page/page-params.ts";
import { titleOf } from "../page-name.tsx";
import { FoldedLinks } from "./folded-links.tsx";
import { groupScene, mostNeighbours } from "./groups.ts";
import { layOut, type Positions } from "./layout.ts";
import { readLinksAmong } from "./links-among.ts";
import { LocalGraph } from "./local-graph.tsx";
import { type Nearest, readNearest } from "./nearest.ts";
import { PictureControls } from "./picture-controls.tsx";
import { PictureTable } from "./picture-table.tsx";
import { downloadPng } from "./png.ts";
import { RegionLegend, regionName } from "./region-legend.tsx";
import {
  type Group,
  growScene,
  mostNodes,
  type Scene,
  startScene,
  visibleScene,
  withColours,
  withLinksAmong,
} from "./scene.ts";
import { pictureWords } from "./words.ts";

const route = getRouteApi(paths.page);
const perCall = 200;

/** The pages around a page as a picture, and the same as a table. The URL has the steps and the kinds of links. */
export function GraphTab({ page }: { page: NodeDetail }) {
  const api = useApi();
  const search = route.useSearch();
  const { depth = 1 } = search;
  // Of a hub only the links that are shown are read. Other pictures have all, so that pages stay where they are.
  const mayBeHub = page.degree.in + page.degree.out > mostNeighbours;
  const kinds = mayBeHub ? kindsOf(search) : linkKinds;
  const query = useQuery({
    queryKey: ["nearest", page.id, depth, kinds],
    queryFn: ({ signal }) => readNearest(api, page, { depth, kinds }, signal),
  });
  return (
    <Loaded query={query} loading={<span className="loading skeleton h-[32rem]" />}>
      {(nearest) =>
        nearest.isHub ? (
          <AroundHub key={kinds.join()} page={page} nearest={nearest} />
        ) : (
          <Around key={`${depth} ${kinds.join()}`} page={page} nearest={nearest} />
        )
      }
    </Loaded>
  );
}

/** A scene with the places of its pages. */
interface Drawn {
  readonly scene: Scene;
  readonly positions: Positions;
}

/** A picture in which every page stands for itself. */
function Around({ page, nearest }: { page: NodeDetail; nearest: Nearest }) {
  const api = useApi();
  const queries = useQueryClient();
  const search = route.useSearch();
  const { items, regions } = nearest;
  const [drawn, setDrawn] = useState<Drawn>(() => {
    const scene = growScene(startScene(page), page.id, items);
    return { scene, positions: layOut(scene) };
  });
  /** The page whose folded links are listed. */
  const [unfolded, setUnfolded] = useState<string | null>(null);
  const growing = useRef(new Set<string>());
  const kinds = kindsOf(search).join(",");
  const links = useLinksAmong(drawn.scene);
  const visible = useMemo(
    () => withColours(visibleScene(withLinksAmong(drawn.scene, links), kindsOf({ kinds })), regions),
    [drawn.scene, links, kinds, regions],
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
  const isCut = nearest.isCut || drawn.scene.nodes.size >= mostNodes;
  const farthest = Math.max(0, ...[...drawn.scene.nodes.values()].map(({ depth }) => depth));
  const hints = [
    ...(search.depth === 2 && farthest < 2 ? [pictureWords.oneStepIsAll] : []),
    ...(isCut ? [pictureWords.cut(drawn.scene.nodes.size - 1)] : []),
    pictureWords.help,
  ];
  return (
    <>
      <Picture
        page={page}
        scene={visible}
        positions={drawn.positions}
        nearest={nearest}
        hints={hints}
        onUnfold={setUnfolded}
      />
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
    </>
  );
}

/** A picture in which groups stand for the pages around a hub. A group unfolds in it. */
function AroundHub({ page, nearest }: { page: NodeDetail; nearest: Nearest }) {
  const { items, regions, isCut } = nearest;
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(
    // A picture of few marks has room for more.
    () => new Set(regions.all.length <= fewGroups ? regions.all.slice(0, 1).map(({ key }) => key) : []),
  );
  /** Groups stay where they were while another unfolds. */
  const places = useRef<Positions>(new Map());
  const { scene, positions } = useMemo(() => {
    const grouped = groupScene(page, items, { regions, unfolded, nameOf: groupName });
    const placed = layOut(grouped, places.current);
    places.current = placed;
    return { scene: grouped, positions: placed };
  }, [page, items, regions, unfolded]);
  const links = useLinksAmong(scene);
  const visible = useMemo(() => withLinksAmong(scene, links), [scene, links]);
  const toggle = (key: string) =>
    setUnfolded((now) => {
      const next = new Set(now);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  const hints = [
    pictureWords.groups(items.length),
    ...(isCut ? [pictureWords.groupsCut(items.length)] : []),
    pictureWords.groupHelp,
  ];
  return (
    <Picture
      page={page}
      scene={visible}
      positions={positions}
      nearest={nearest}
      hints={hints}
      onToggle={toggle}
    />
  );
}

/** Of so few groups, the largest is unfolded from the start. */
const fewGroups = 4;

const groupName = ({ region, count }: Group): string =>
  pictureWords.group(region === null ? pictureWords.elsewhere : regionName(region), count);

/** The links among the pages of a scene; none until they are known. */
function useLinksAmong(scene: Scene) {
  const api = useApi();
  const ids = useMemo(
    () => [...scene.nodes].flatMap(([id, { group }]) => (group === undefined ? [id] : [])).toSorted(),
    [scene],
  );
  const { data } = useQuery({
    queryKey: ["links among", ids],
    queryFn: ({ signal }) => readLinksAmong(api, ids, signal),
    enabled: ids.length > 1,
    placeholderData: keepPreviousData,
  });
  return data ?? noLinks;
}

const noLinks: Awaited<ReturnType<typeof readLinksAmong>> = [];

function Picture({
  page,
  scene,
  positions,
  nearest: { regions, isHub },
  hints,
  onUnfold = () => {},
  onToggle = () => {},
}: {
  page: NodeDetail;
  scene: Scene;
  positions: Positions;
  nearest: Nearest;
  /** Sentences below it: the pages that it lacks, and its keys. */
  hints: readonly string[];
  /** Lists the links of a page that are not shown. */
  onUnfold?: (id: string) => void;
  /** Unfolds a group, or folds it. */
  onToggle?: (key: string) => void;
}) {
  const [lit, setLit] = useState<string | null>(null);
  const download = async () => {
    const isDone = await downloadPng(scene, positions, titleOf(page));
    if (!isDone) showToast(pictureWords.downloadFailed);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <PictureControls pageId={page.id} isHub={isHub} />
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="grid min-w-0 content-start gap-2">
          <LocalGraph
            scene={scene}
            positions={positions}
            title={titleOf(page)}
            regions={regions}
            lit={lit}
            onLight={setLit}
            onUnfold={onUnfold}
            onToggle={onToggle}
            onDownload={download}
          />
          <RegionLegend regions={regions} />
          {hints.map((hint) => (
            <p key={hint} className="text-sm text-quiet">
              {hint}
            </p>
          ))}
        </div>
        <PictureTable scene={scene} lit={lit} onLight={setLit} onToggle={onToggle} />
      </div>
    </div>
  );
}
