import type { Edge } from "@clew/client";
import { titleOf } from "../page-name.tsx";
import { type Label, type Point, type Positions, placeLabels } from "./layout.ts";
import { keyOf, type Scene, type SceneNode } from "./scene.ts";

/** The size of a drawn page. */
export function radiusOf({ node, depth, group }: SceneNode): number {
  // The area of a group follows its number of pages.
  if (group !== undefined) return Math.min(44, 7 + 0.72 * Math.sqrt(group.count));
  return depth === 0 ? 13 : 4.5 + 6.5 * node.importance ** 2;
}

/** The theme's variable with the colour of a region; null for pages without one. */
export const colourOf = ({ depth, colour = 0 }: SceneNode): string | null =>
  depth === 0 || colour === 0 ? null : `--region-${colour}`;

/** The dashes of a drawn link of each kind. */
export const dashes: Readonly<Record<Edge["type"], string>> = {
  link: "",
  mention: "5 3",
  relation: "1.5 3",
  child: "",
};
export const widths: Readonly<Record<Edge["type"], number>> = {
  link: 1.4,
  mention: 1.4,
  relation: 2,
  child: 0.7,
};

/** The looks of links: as they are, lit, and while others are lit. */
const looks = {
  edges: { plain: "stroke-edge/60", lit: "stroke-thread", dim: "stroke-edge/15" },
  across: { plain: "stroke-edge/30", lit: "stroke-thread/60", dim: "stroke-edge/10" },
} as const;

/** The links of a scene as lines: those that led to its pages, and lighter ones below them. */
export function Lines({
  scene,
  ...drawing
}: {
  scene: Scene;
  positions: Positions;
  /** Whether a link is lit; null where nothing is hovered. */
  isLit: ((edge: Edge) => boolean) | null;
}) {
  return (["across", "edges"] as const).map((kind) => (
    <g key={kind} data-links={kind}>
      <LinesOf edges={scene[kind]} look={looks[kind]} {...drawing} />
    </g>
  ));
}

function LinesOf({
  edges,
  look,
  positions,
  isLit,
}: {
  edges: readonly Edge[];
  look: (typeof looks)[keyof typeof looks];
  positions: Positions;
  isLit: ((edge: Edge) => boolean) | null;
}) {
  return edges.map((edge) => {
    const from = positions.get(edge.from);
    const to = positions.get(edge.to);
    if (from === undefined || to === undefined) return null;
    const hovered = isLit?.(edge) ? "lit" : "dim";
    return (
      <line
        key={keyOf(edge)}
        x1={from.x}
        y1={from.y}
        x2={to.x}
        y2={to.y}
        className={look[isLit === null ? "plain" : hovered]}
        strokeWidth={widths[edge.type]}
        strokeDasharray={dashes[edge.type]}
      />
    );
  });
}

/** More dots would cover each other. */
const mostDots = 600;

/** A dot for each page of a group that is not shown, evenly spread over its mark. */
function dotsIn({ x, y }: Point, radius: number, pages: number): string {
  const dots = Math.min(pages, mostDots);
  return Array.from({ length: dots }, (_, index) => {
    const distance = (radius - 4) * Math.sqrt((index + 0.5) / dots);
    const angle = index * 2.399963;
    return `M${(x + Math.cos(angle) * distance).toFixed(1)} ${(y + Math.sin(angle) * distance).toFixed(1)}h0`;
  }).join("");
}

/** The looks of a page, by its steps from the middle; pages further away are alike. */
const markLooks = ["fill-thread stroke-thread", "fill-surface stroke-thread"];

/** A page as a disc, a database as a square; the page in the middle has the thread's colour. */
export function Mark({ each, at, isLit }: { each: SceneNode; at: Point; isLit: boolean }) {
  const radius = radiusOf(each);
  const colour = colourOf(each);
  const plain = markLooks[each.depth] ?? "fill-surface stroke-edge";
  const look = `${colour === null ? plain : ""} ${isLit ? "" : "opacity-25"}`;
  const style =
    colour === null
      ? undefined
      : {
          stroke: `var(${colour})`,
          fill: `color-mix(in oklab, var(${colour}) ${each.group === undefined ? 30 : 12}%, var(--surface))`,
        };
  if (each.group !== undefined)
    return (
      <g className={isLit ? "" : "opacity-25"}>
        <circle cx={at.x} cy={at.y} r={radius} className={look} style={style} strokeWidth="1.2" />
        <path
          d={dotsIn(at, radius, each.group.hidden)}
          className="stroke-quiet"
          style={colour === null ? undefined : { stroke: `var(${colour})` }}
          strokeWidth={Math.min(
            3,
            (1.2 * (radius - 4)) / Math.sqrt(Math.min(each.group.hidden, mostDots) + 1),
          )}
          strokeLinecap="round"
        />
      </g>
    );
  return each.node.type === "database" ? (
    <rect
      x={at.x - radius}
      y={at.y - radius}
      width={radius * 2}
      height={radius * 2}
      rx="2"
      className={look}
      style={style}
      strokeWidth="1.8"
    />
  ) : (
    <circle cx={at.x} cy={at.y} r={radius} className={look} style={style} strokeWidth="1.8" />
  );
}

/** The size that decides which of two names is drawn where there is room for one. */
const sizeOf = ({ node, group }: SceneNode): number => group?.count ?? node.importance;

/** The names of pages, those in the middle and the important ones before others. */
export function labelsOf({ nodes }: Scene, positions: Positions): readonly Label[] {
  const names = [...nodes.values()]
    .toSorted((a, b) => a.depth - b.depth || sizeOf(b) - sizeOf(a))
    .map((each) => ({ id: each.node.id, title: titleOf(each.node), radius: radiusOf(each) }));
  return placeLabels(names, positions);
}

export function Names({
  labels,
  isLit,
}: {
  labels: readonly Label[];
  isLit: ((id: string) => boolean) | null;
}) {
  return labels.map(({ id, text, x, y }) => (
    <text
      key={id}
      x={x}
      y={y}
      textAnchor="middle"
      className={`pointer-events-none fill-ink stroke-paper text-[12px] select-none [paint-order:stroke] [unicode-bidi:plaintext] ${isLit === null || isLit(id) ? "" : "opacity-30"}`}
      strokeWidth="3"
      strokeLinejoin="round"
    >
      {text}
    </text>
  ));
}
