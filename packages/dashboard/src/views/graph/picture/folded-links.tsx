import type { Edge, Neighbors } from "@clew/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useApi } from "../../../api/app-context.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { MoreButton } from "../../../ui/more-button.tsx";
import { ScrollBox } from "../../../ui/scroll-box.tsx";
import { Loaded } from "../../../ui/states.tsx";
import { graphWords, shellWords } from "../../../words.ts";
import { PageLink, titleOf } from "../page-name.tsx";
import { pathWords } from "../path/words.ts";
import { hiddenLinks, keyOf, mostNodes, type Scene, type SceneNode } from "./scene.ts";
import { pictureWords } from "./words.ts";

const perCall = 100;

/** The links of a page that its picture does not show, as a list. From there they can be added to the picture. */
export function FoldedLinks({
  scene,
  of: { node },
  onShow,
  onClose,
}: {
  scene: Scene;
  of: SceneNode;
  /** Adds them to the picture. */
  onShow: () => void;
  onClose: () => void;
}) {
  const api = useApi();
  const query = useInfiniteQuery({
    queryKey: ["folded", node.id],
    queryFn: ({ pageParam, signal }) =>
      api.listNeighbors({ id: node.id, limit: perCall, cursor: pageParam ?? undefined }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }: Neighbors) => next_cursor,
  });
  const drawn = new Set([...scene.edges, ...scene.across].map(keyOf));
  const isFull = scene.nodes.size >= mostNodes;
  return (
    <Dialog title={pictureWords.folded(hiddenLinks(scene, node.id), titleOf(node))} onClose={onClose}>
      <Loaded query={query}>
        {({ pages }) => {
          const items = pages
            .flatMap((part) => part.items)
            .map((item) => ({ ...item, edges: item.edges.filter((edge) => !drawn.has(keyOf(edge))) }))
            .filter(({ edges }) => edges.length > 0);
          return (
            <ScrollBox label={pictureWords.foldedList} className="max-h-[50vh]">
              <ul className="divide-y divide-line">
                {items.map((item) => (
                  <li key={item.node.id} className="grid gap-0.5 px-4 py-2">
                    <PageLink node={item.node} />
                    <span className="text-sm text-quiet">
                      {wordsOf(item.edges, item.node.id)}
                      {scene.nodes.has(item.node.id) ? ` · ${pictureWords.inPicture}` : ""}
                    </span>
                  </li>
                ))}
              </ul>
            </ScrollBox>
          );
        }}
      </Loaded>
      <MoreButton query={query} label={graphWords.more} />
      {isFull ? <p className="text-sm text-quiet">{pictureWords.full(mostNodes)}</p> : null}
      <div className="flex flex-wrap justify-end gap-3">
        <button type="button" className="button" onClick={onClose}>
          {shellWords.close}
        </button>
        {isFull ? null : (
          <button type="button" className="button button-primary" onClick={onShow}>
            {pictureWords.unfold}
          </button>
        )}
      </div>
    </Dialog>
  );
}

/** The direction of a link, seen from the listed page. */
const wordsOf = (edges: readonly Edge[], id: string): string =>
  [
    ...new Set(
      edges.map(({ from, type }) => (from === id ? pathWords.forwards[type] : pathWords.backwards[type])),
    ),
  ].join(", ");
