import type { Paths } from "@clew/client";
import { Link } from "@tanstack/react-router";
import { useMemo, useSyncExternalStore } from "react";
import { paths as routes } from "../../../paths.ts";
import { PageIcon, titleOf } from "../page-name.tsx";
import { drawPaths, placesOf } from "./path-layout.ts";
import { pathWords } from "./words.ts";

/** Below this width of the window a path runs down. */
const narrow = "(max-width: 60rem)";
/** Rem for a page and the space around it, across the path and along it. */
const lane = 3.75;
const stretch = 4.75;

/** Paths drawn as one picture: pages that several of them share stand there once. The steps tell the same in words. */
export function PathPicture({ paths }: { paths: Paths["paths"] }) {
  const isNarrow = useSyncExternalStore(onWidth, () => matchMedia(narrow).matches);
  const drawing = useMemo(() => drawPaths(paths), [paths]);
  const isUpright = isNarrow || drawing.steps > 5;
  const places = useMemo(() => placesOf(drawing, isUpright), [drawing, isUpright]);
  const [first] = paths;
  const ends = new Set([first?.nodes[0]?.id, first?.nodes.at(-1)?.id]);
  const height = isUpright ? (drawing.steps + 1) * stretch : Math.max(drawing.slots * lane, 8);
  return (
    <section aria-label={pathWords.picture} className="card overflow-x-auto bg-paper p-2">
      <div
        className="relative"
        style={{ height: `${height}rem`, minWidth: isUpright ? `${drawing.slots * 9}rem` : undefined }}
      >
        <svg
          aria-hidden="true"
          className="absolute inset-0 size-full"
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
        >
          {drawing.links.map(({ from, to }) => {
            const a = places.get(from);
            const b = places.get(to);
            if (a === undefined || b === undefined) return null;
            return (
              <path
                key={`${from} ${to}`}
                d={curve(scaled(a), scaled(b), isUpright)}
                className="fill-none stroke-thread"
                strokeWidth="2"
                vectorEffect="non-scaling-stroke"
              />
            );
          })}
        </svg>
        {[...drawing.pages].map(([id, { node }]) => {
          const place = places.get(id);
          if (place === undefined) return null;
          return (
            <Link
              key={id}
              to={routes.page}
              params={{ pageId: id }}
              style={{
                left: `${place.x * 100}%`,
                top: `${place.y * 100}%`,
                maxWidth: `min(14rem, ${isUpright ? 96 / drawing.slots : 92 / (drawing.steps + 1)}%)`,
              }}
              className={`absolute flex min-h-9 -translate-1/2 items-center gap-1.5 rounded-full border px-3 py-1 hover:border-thread ${ends.has(id) ? "border-thread bg-thread-soft font-semibold" : "border-line bg-surface"}`}
            >
              <PageIcon node={node} size={16} />
              <bdi className="truncate">{titleOf(node)}</bdi>
            </Link>
          );
        })}
      </div>
    </section>
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
}

const scaled = ({ x, y }: Place): Place => ({ x: x * 100, y: y * 100 });

/** A thread between two places that leaves and arrives along the path. */
function curve(a: Place, b: Place, isUpright: boolean): string {
  const [c, d] = isUpright
    ? [
        { x: a.x, y: (a.y + b.y) / 2 },
        { x: b.x, y: (a.y + b.y) / 2 },
      ]
    : [
        { x: (a.x + b.x) / 2, y: a.y },
        { x: (a.x + b.x) / 2, y: b.y },
      ];
  return `M${a.x} ${a.y}C${c.x} ${c.y} ${d.x} ${d.y} ${b.x} ${b.y}`;
}

function onWidth(listener: () => void): () => void {
  const query = matchMedia(narrow);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}
