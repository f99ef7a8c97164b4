import { useNavigate } from "@tanstack/react-router";
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { paths } from "../../../paths.ts";
import { ZoomButtons } from "../../../ui/zoom-buttons.tsx";
import { titleOf } from "../page-name.tsx";
import { Lines, labelsOf, Mark, Names, radiusOf } from "./drawing.tsx";
import { type Arrow, boundsOf, nextInDirection, type Positions } from "./layout.ts";
import { regionName } from "./region-legend.tsx";
import type { Region, Regions } from "./regions.ts";
import { hiddenLinks, neighboursOf, type Scene, type SceneNode, stepsOf } from "./scene.ts";
import { pictureWords } from "./words.ts";

/** Links that are not shown, from which on a page always tells their number. */
const manyHidden = 40;
const zoomStep = 1.3;
const zoomRange = { least: 0.3, most: 6 } as const;

/** The visible part of the picture: its magnification, and the offset of its middle. */
interface Camera {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

const wholePicture: Camera = { zoom: 1, x: 0, y: 0 };

/**
 * A local graph: it can be moved, zoomed and walked by keyboard. Hovering or focusing a page lights what it is linked with.
 */
export function LocalGraph({
  scene,
  positions,
  title,
  regions,
  lit,
  onLight,
  onUnfold,
  onToggle,
  onDownload,
}: {
  scene: Scene;
  positions: Positions;
  title: string;
  regions: Regions;
  /** The page whose links are lit. */
  lit: string | null;
  onLight: (id: string | null) => void;
  /** Lists the links of a page that are not shown. */
  onUnfold: (id: string) => void;
  /** Unfolds a group, or folds it. */
  onToggle: (key: string) => void;
  onDownload: () => Promise<void>;
}) {
  const navigate = useNavigate();
  const svg = useRef<SVGSVGElement>(null);
  const [focused, setFocused] = useState(scene.center);
  const shown = useMemo(
    () => new Map([...positions].filter(([id]) => scene.nodes.has(id))),
    [positions, scene],
  );
  const labels = useMemo(() => labelsOf(scene, shown), [scene, shown]);
  const near = useMemo(() => neighboursOf([...scene.edges, ...scene.across]), [scene]);
  const bounds = useMemo(() => atLeast(boundsOf(shown.values(), labels), leastView), [shown, labels]);
  const current = scene.nodes.has(focused) ? focused : scene.center;
  const camera = useCamera(svg, bounds);

  const isLit = (id: string): boolean => lit === null || lit === id || near.get(lit)?.has(id) === true;
  const open = (id: string) => {
    const group = scene.nodes.get(id)?.group;
    if (group !== undefined) onToggle(group.key);
    else void navigate({ to: paths.page, params: { pageId: id }, search: { view: "graph" } });
  };
  const focus = (id: string) => {
    setFocused(id);
    svg.current?.querySelector<SVGElement>(`[data-id="${CSS.escape(id)}"]`)?.focus();
  };
  const walk = (key: Arrow) => {
    const from = shown.get(current);
    const next = from === undefined ? null : nextInDirection(from, shown, key);
    if (next !== null) focus(next);
  };
  const actions: Readonly<Record<string, () => void>> = {
    ArrowUp: () => walk("ArrowUp"),
    ArrowDown: () => walk("ArrowDown"),
    ArrowLeft: () => walk("ArrowLeft"),
    ArrowRight: () => walk("ArrowRight"),
    "+": () => camera.zoomBy(zoomStep),
    "=": () => camera.zoomBy(zoomStep),
    "-": () => camera.zoomBy(1 / zoomStep),
    Enter: () => open(current),
    " ": () => {
      if (scene.nodes.get(current)?.group !== undefined) open(current);
      else if (hiddenLinks(scene, current) > 0) onUnfold(current);
    },
    Escape: () => {
      camera.reset();
      focus(scene.center);
    },
  };
  const press = (event: KeyboardEvent) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };

  return (
    <div className="card relative overflow-hidden">
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing has no element for a group of links. */}
      <svg
        ref={svg}
        role="group"
        aria-label={pictureWords.label(title, scene.nodes.size)}
        className="aspect-square max-h-[80vh] w-full md:aspect-auto md:h-[max(20rem,calc(100dvh-21rem))] cursor-grab touch-pan-y bg-paper active:cursor-grabbing"
        viewBox={camera.viewBox}
        onKeyDown={press}
        {...camera.drag}
      >
        <Lines
          scene={scene}
          positions={shown}
          isLit={lit === null ? null : ({ from, to }) => from === lit || to === lit}
        />
        {inDrawingOrder(scene).map(([id, each]) => (
          <NodeMark
            key={id}
            each={each}
            at={shown.get(id) ?? { x: 0, y: 0 }}
            hidden={hiddenLinks(scene, id)}
            region={regions.regionOf.get(id)}
            isLit={isLit(id)}
            isCurrent={id === current}
            onLight={onLight}
            onFocus={() => setFocused(id)}
            onOpen={() => open(id)}
          />
        ))}
        <Names labels={labels} isLit={lit === null ? null : isLit} />
        <HiddenLinks scene={scene} positions={shown} lit={lit} onLight={onLight} onUnfold={onUnfold} />
      </svg>
      <button
        type="button"
        className="button button-small absolute top-3 right-3"
        onClick={() => void onDownload()}
      >
        {pictureWords.download}
      </button>
      <ZoomButtons step={zoomStep} whole={pictureWords.reset} onZoom={camera.zoomBy} onWhole={camera.reset} />
      {scene.nodes.size === 1 ? (
        <p className="absolute inset-x-4 top-4 text-center text-quiet">{pictureWords.alone}</p>
      ) : null}
    </div>
  );
}

/** A picture of few pages is not drawn larger than this lets it be. */
const leastView = { width: 620, height: 440 } as const;

type Bounds = ReturnType<typeof boundsOf>;

function atLeast({ x, y, width, height }: Bounds, least: Pick<Bounds, "width" | "height">): Bounds {
  const [wider, higher] = [Math.max(0, least.width - width), Math.max(0, least.height - height)];
  return { x: x - wider / 2, y: y - higher / 2, width: width + wider, height: height + higher };
}

/** The page in the middle comes last, so that none covers it. */
const inDrawingOrder = ({ nodes }: Scene) => [...nodes].toSorted(([, a], [, b]) => b.depth - a.depth);

function NodeMark({
  each,
  at,
  hidden,
  region,
  isLit,
  isCurrent,
  onLight,
  onFocus,
  onOpen,
}: {
  each: SceneNode;
  at: { readonly x: number; readonly y: number };
  hidden: number;
  region: Region | undefined;
  isLit: boolean;
  isCurrent: boolean;
  onLight: (id: string | null) => void;
  onFocus: () => void;
  onOpen: () => void;
}) {
  const { node, depth, group } = each;
  const radius = radiusOf(each);
  const place = region === undefined ? [] : [pictureWords.inRegion(regionName(region))];
  const facts = [
    titleOf(node),
    depth === 0 ? pictureWords.center : pictureWords.depths[stepsOf(each) === 1 ? 1 : 2],
    ...(depth === 0 ? [] : place),
    ...(hidden > 0 ? [pictureWords.hidden(hidden)] : []),
  ];
  return (
    <g onPointerEnter={() => onLight(node.id)} onPointerLeave={() => onLight(null)}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it is a link or a button, and its view handles the keys. */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: only a group, which is a button, is expanded. */}
      <g
        role={group === undefined ? "link" : "button"}
        data-id={node.id}
        tabIndex={isCurrent ? 0 : -1}
        aria-label={group === undefined ? facts.join(", ") : titleOf(node)}
        aria-expanded={group?.isOpen}
        className="cursor-pointer outline-none [&:focus-visible>*:first-child]:stroke-thread"
        onFocus={() => {
          onFocus();
          onLight(node.id);
        }}
        onBlur={() => onLight(null)}
        onClick={onOpen}
      >
        {/* Shows the focus, and is easier to hit than the mark. */}
        <circle
          cx={at.x}
          cy={at.y}
          r={Math.max(14, radius + 5)}
          className="fill-transparent"
          strokeWidth="3"
        />
        <Mark each={each} at={at} isLit={isLit} />
        <title>{[titleOf(node), ...(group === undefined && depth > 0 ? place : [])].join(", ")}</title>
      </g>
    </g>
  );
}

/** The numbers of links that are not shown: of the page in the middle, the page that is lit, and pages with many. */
function HiddenLinks({
  scene,
  positions,
  lit,
  onLight,
  onUnfold,
}: {
  scene: Scene;
  positions: Positions;
  lit: string | null;
  onLight: (id: string | null) => void;
  onUnfold: (id: string) => void;
}) {
  return [...scene.nodes].map(([id, each]) => {
    const at = positions.get(id);
    const hidden = hiddenLinks(scene, id);
    const isTold = hidden >= manyHidden || (hidden > 0 && (lit === id || id === scene.center));
    return at === undefined || !isTold ? null : (
      <Hidden key={id} each={each} at={at} hidden={hidden} onLight={onLight} onUnfold={() => onUnfold(id)} />
    );
  });
}

/** The number of links of a page that are not shown. Pressing it lists them. */
function Hidden({
  each,
  at,
  hidden,
  onLight,
  onUnfold,
}: {
  each: SceneNode;
  at: { readonly x: number; readonly y: number };
  hidden: number;
  onLight: (id: string | null) => void;
  onUnfold: () => void;
}) {
  const left = at.x + radiusOf(each) * 0.6;
  const top = at.y - radiusOf(each) - 14;
  const width = 14 + 7 * String(hidden).length;
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is drawn.
    <g
      role="button"
      tabIndex={-1}
      aria-label={pictureWords.folded(hidden, titleOf(each.node))}
      className="cursor-pointer outline-none"
      onClick={onUnfold}
      onPointerEnter={() => onLight(each.node.id)}
      onPointerLeave={() => onLight(null)}
    >
      <title>{pictureWords.folded(hidden, titleOf(each.node))}</title>
      <rect x={left} y={top} width={width} height={17} rx="8.5" className="fill-thread-soft stroke-thread" />
      <text
        x={left + width / 2}
        y={top + 12.5}
        textAnchor="middle"
        className="fill-thread text-[11px] font-semibold select-none"
      >
        +{hidden}
      </text>
    </g>
  );
}

/** The camera on a picture with these bounds, and what moves it: buttons, a pinch, the wheel with Ctrl, and dragging. */
function useCamera(svg: RefObject<SVGSVGElement | null>, bounds: ReturnType<typeof boundsOf>) {
  const [camera, setCamera] = useState(wholePicture);
  const width = bounds.width / camera.zoom;
  const height = bounds.height / camera.zoom;
  const left = bounds.x + bounds.width / 2 + camera.x - width / 2;
  const top = bounds.y + bounds.height / 2 + camera.y - height / 2;
  const zoomBy = (factor: number) =>
    setCamera((now) => ({
      ...now,
      zoom: Math.min(zoomRange.most, Math.max(zoomRange.least, now.zoom * factor)),
    }));
  useWheelZoom(svg, zoomBy);
  return {
    viewBox: `${left} ${top} ${width} ${height}`,
    zoomBy,
    reset: () => setCamera(wholePicture),
    drag: useDrag(svg, camera, setCamera, width),
  };
}

/** Zooms with a pinch, or the wheel and Ctrl. The wheel alone scrolls the page. */
function useWheelZoom(svg: RefObject<SVGSVGElement | null>, zoomBy: (factor: number) => void): void {
  useEffect(() => {
    const { current } = svg;
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomBy(Math.exp(-event.deltaY / 200));
    };
    current?.addEventListener("wheel", turn, { passive: false });
    return () => current?.removeEventListener("wheel", turn);
  });
}

/** Pixels that a pointer moves before it drags: less is a click. */
const dragFrom = 4;

function useDrag(
  svg: RefObject<SVGSVGElement | null>,
  camera: Camera,
  setCamera: (camera: Camera) => void,
  width: number,
) {
  const start = useRef<{ readonly x: number; readonly y: number; readonly camera: Camera } | null>(null);
  const isDragging = useRef(false);
  return {
    onPointerDown(event: PointerEvent) {
      start.current = { x: event.clientX, y: event.clientY, camera };
      isDragging.current = false;
    },
    onPointerMove(event: PointerEvent) {
      const from = start.current;
      if (from === null || svg.current === null || event.buttons === 0) return;
      const x = event.clientX - from.x;
      const y = event.clientY - from.y;
      if (!isDragging.current && Math.hypot(x, y) < dragFrom) return;
      if (!isDragging.current) svg.current.setPointerCapture(event.pointerId);
      isDragging.current = true;
      const matrix = svg.current.getScreenCTM();
      const units = matrix === null || matrix.a === 0 ? width / svg.current.clientWidth : 1 / matrix.a;
      setCamera({ ...from.camera, x: from.camera.x - x * units, y: from.camera.y - y * units });
    },
    onPointerUp() {
      start.current = null;
    },
    onPointerCancel() {
      start.current = null;
    },
    onClickCapture(event: MouseEvent) {
      // The end of a drag is no click.
      if (isDragging.current) event.stopPropagation();
    },
  };
}
