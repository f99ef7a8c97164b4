import type { NodeDetail } from "@clew/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useApi } from "../../../api/app-context.ts";
import { paths } from "../../../paths.ts";
import { Lines, labelsOf, Mark, Names } from "./drawing.tsx";
import { boundsOf, layOut } from "./layout.ts";
import { growScene, startScene } from "./scene.ts";
import { pictureWords } from "./words.ts";

/** Pages that fit into a small picture. */
const mostPages = 24;

/** The nearest pages in a small picture, which opens the large one. */
export function Preview({ page }: { page: NodeDetail }) {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ["preview", page.id],
    queryFn: ({ signal }) => api.listNeighbors({ id: page.id, limit: mostPages }, { signal }),
  });
  const drawn = useMemo(() => {
    const scene = growScene(startScene(page), page.id, data?.items ?? []);
    const positions = layOut(scene);
    const labels = labelsOf(scene, positions);
    return { scene, positions, labels, bounds: boundsOf(positions.values(), labels, 50) };
  }, [page, data]);
  if (data === undefined) return <span className="skeleton aspect-[4/3]" />;
  if (data.items.length === 0) return null;
  const { scene, positions, labels, bounds } = drawn;
  return (
    <Link
      to={paths.page}
      params={{ pageId: page.id }}
      search={{ view: "graph" }}
      resetScroll={false}
      className="no-print card block overflow-hidden hover:border-thread"
    >
      <svg
        aria-hidden="true"
        className="aspect-[4/3] w-full bg-paper"
        viewBox={`${bounds.x} ${bounds.y} ${bounds.width} ${bounds.height}`}
      >
        <Lines scene={scene} positions={positions} isLit={null} />
        {[...scene.nodes].map(([id, each]) => (
          <Mark key={id} each={each} at={positions.get(id) ?? { x: 0, y: 0 }} isLit />
        ))}
        <Names labels={labels} isLit={null} />
      </svg>
      <span className="block border-t border-line px-4 py-2 text-sm font-medium text-thread">
        {pictureWords.open}
      </span>
    </Link>
  );
}
