import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from "react";
import { paths } from "../../paths.ts";
import { MinusIcon, PlusIcon } from "../../ui/icons.tsx";
import { Notice } from "../../ui/notice.tsx";
import { mapWords } from "../../words.ts";
import { type Camera, fitted, panned, type Size, toMap, toScreen, zoomed } from "./camera.ts";
import { drawLabels } from "./label-layer.ts";
import { labelled, type MapFile, nodeAt } from "./map-file.ts";
import type { MapNames, MapPage } from "./map-names.ts";
import { createPainter, type Painter } from "./painter.ts";

const mostLabels = 36;
const panStep = 80;
const zoomStep = 1.4;

/** The map as a picture that is moved and zoomed by pointer, wheel, two fingers and keys. */
export function MapCanvas({ map, names }: { map: MapFile; names: MapNames }) {
  const box = useRef<HTMLDivElement>(null);
  const ground = useRef<HTMLCanvasElement>(null);
  const labels = useRef<HTMLCanvasElement>(null);
  const camera = useRef<Camera | null>(null);
  /** Whether everything is in sight, and is to stay so when the window changes its size. */
  const isWhole = useRef(true);
  const size = useRef<Size>({ width: 1, height: 1 });
  const painter = useRef<Painter | null>(null);
  const frame = useRef(0);
  const lit = useRef<{ readonly position: number; readonly linked: readonly number[] } | null>(null);
  const shown = useRef<readonly number[]>([]);
  const [hasWebGl, setWebGl] = useState(true);
  const [page, setPage] = useState<MapPage | null>(null);
  const navigate = useNavigate();

  const draw = useCallback(() => {
    frame.current = 0;
    const [on, at] = [labels.current, camera.current];
    if (at === null || on === null) return;
    const isDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    painter.current?.draw(at, size.current, window.devicePixelRatio, isDark);
    drawLabels(on, {
      map,
      camera: at,
      size: size.current,
      positions: shown.current,
      titleOf: (position) => names.known(position)?.title,
      lit: lit.current,
    });
  }, [map, names]);
  const redraw = useCallback(() => {
    if (frame.current === 0) frame.current = requestAnimationFrame(draw);
  }, [draw]);

  /** Once the map rests: which pages have labels, and their titles. */
  const settle = useRef<ReturnType<typeof setTimeout>>(undefined);
  const move = useCallback(
    (change: (camera: Camera) => Camera) => {
      if (camera.current === null) return;
      camera.current = change(camera.current);
      isWhole.current = false;
      redraw();
      clearTimeout(settle.current);
      settle.current = setTimeout(async () => {
        const [at, { width, height }] = [camera.current, size.current];
        if (at === null) return;
        const isInSight = (x: number, y: number) => {
          const [left, top] = toScreen(at, { width, height }, x, y);
          return left > 0 && left < width && top > 0 && top < height;
        };
        shown.current = labelled(map, isInSight, mostLabels);
        redraw();
        await names.load(shown.current);
        redraw();
      }, 160);
    },
    [map, names, redraw],
  );

  const fit = useCallback(() => {
    camera.current = fitted(map, size.current);
    move((same) => same);
    isWhole.current = true;
  }, [map, move]);

  /** Lights a page with its links, and tells its title. */
  const wanted = useRef<number | null>(null);
  const light = useCallback(
    async (position: number | null) => {
      if (wanted.current === position) return;
      wanted.current = position;
      if (position === null) {
        lit.current = null;
        setPage(null);
        return redraw();
      }
      lit.current = { position, linked: [] };
      redraw();
      const found = await names.page(position);
      if (wanted.current !== position || found === null) return;
      setPage(found);
      redraw();
      const linked = await names.linkedWith(found);
      if (wanted.current !== position) return;
      lit.current = { position, linked };
      redraw();
    },
    [names, redraw],
  );

  useEffect(() => {
    const [frameBox, canvas] = [box.current, ground.current];
    if (frameBox === null || canvas === null) return;
    const start = () => {
      painter.current = createPainter(canvas, map);
      setWebGl(painter.current !== null);
      redraw();
    };
    const lose = (event: Event) => {
      event.preventDefault();
      painter.current = null;
    };
    canvas.addEventListener("webglcontextlost", lose);
    canvas.addEventListener("webglcontextrestored", start);
    start();
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      const { width, height } = entry.contentRect;
      size.current = { width, height };
      if (isWhole.current || camera.current === null) fit();
      else move((same) => same);
    });
    observer.observe(frameBox);
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const [x, y] = offsetIn(frameBox, event);
      const { width, height } = size.current;
      move((at) => zoomed(at, 2 ** (-event.deltaY / 300), x - width / 2, y - height / 2));
    };
    frameBox.addEventListener("wheel", wheel, { passive: false });
    const scheme = window.matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", redraw);
    return () => {
      observer.disconnect();
      frameBox.removeEventListener("wheel", wheel);
      scheme.removeEventListener("change", redraw);
      canvas.removeEventListener("webglcontextlost", lose);
      canvas.removeEventListener("webglcontextrestored", start);
      cancelAnimationFrame(frame.current);
      frame.current = 0;
      clearTimeout(settle.current);
    };
  }, [map, fit, move, redraw]);

  const openPage = (id: string) => void navigate({ to: paths.page, params: { pageId: id } });

  const pointers = useRef(new Map<number, readonly [number, number]>());
  const travelled = useRef(0);
  const pick = (event: PointerEvent): number | null => {
    if (camera.current === null || box.current === null) return null;
    const [x, y] = toMap(camera.current, size.current, ...offsetIn(box.current, event));
    return nodeAt(map, x, y, 10 / camera.current.scale);
  };
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, [event.clientX, event.clientY]);
    travelled.current = 0;
  };
  const onPointerMove = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    if (before === undefined) return void light(pick(event));
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    travelled.current += Math.abs(dx) + Math.abs(dy);
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    pointers.current.set(event.pointerId, [event.clientX, event.clientY]);
    if (other === undefined) return move((at) => panned(at, dx, dy));
    const apart = Math.hypot(before[0] - other[0], before[1] - other[1]);
    const now = Math.hypot(event.clientX - other[0], event.clientY - other[1]);
    move((at) => zoomed(panned(at, dx / 2, dy / 2), now / Math.max(1, apart)));
  };
  const onPointerUp = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId);
    if (travelled.current < 6) void light(pick(event));
  };
  /** The page that is nearest to the middle of the picture. */
  const middlePage = () =>
    camera.current === null
      ? null
      : nodeAt(map, camera.current.x, camera.current.y, Number.POSITIVE_INFINITY);
  const zoomedAt = (at: Camera, factor: number, position: number | null): Camera => {
    if (position === null) return zoomed(at, factor);
    const { width, height } = size.current;
    const [x, y] = toScreen(at, size.current, ...map.place(position));
    return zoomed(at, factor, x - width / 2, y - height / 2);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const [step, factor] = [steps[event.key], factors[event.key]];
    if (event.key === "Enter" && page !== null) openPage(page.id);
    else if (event.key === "0" || event.key === "Escape") fit();
    else if (step !== undefined) {
      move((at) => panned(at, ...step));
      void light(middlePage());
    } else if (factor !== undefined) {
      const kept = wanted.current ?? middlePage();
      // Towards a page, or soon none would be in sight.
      move((at) => zoomedAt(at, factor, kept));
      void light(kept);
    } else return;
    event.preventDefault();
  };

  if (!hasWebGl) return <Notice kind="warn">{mapWords.noWebGl}</Notice>;
  return (
    <div className="grid gap-3">
      <div
        ref={box}
        role="application"
        aria-label={mapWords.label(map.count)}
        aria-describedby="map-help"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the map is moved by keys.
        tabIndex={0}
        className="card relative h-[max(20rem,100dvh-25rem)] touch-none overflow-hidden md:h-[max(20rem,100dvh-20.5rem)]"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onPointerLeave={() => void light(null)}
        onDoubleClick={() => page !== null && openPage(page.id)}
        onKeyDown={onKeyDown}
      >
        <canvas ref={ground} className="absolute inset-0 size-full" />
        <canvas ref={labels} className="absolute inset-0 size-full" />
        <div className="absolute right-3 bottom-3 flex gap-2">
          <button
            type="button"
            className="button button-small"
            aria-label={mapWords.zoomIn}
            onClick={() => move((at) => zoomed(at, zoomStep))}
          >
            <PlusIcon size={16} />
          </button>
          <button
            type="button"
            className="button button-small"
            aria-label={mapWords.zoomOut}
            onClick={() => move((at) => zoomed(at, 1 / zoomStep))}
          >
            <MinusIcon size={16} />
          </button>
          <button type="button" className="button button-small" onClick={fit}>
            {mapWords.fit}
          </button>
        </div>
      </div>
      <p className="flex min-h-6 flex-wrap gap-x-3 text-quiet" role="status">
        {page === null ? (
          mapWords.help
        ) : (
          <>
            <bdi className="font-medium text-ink">{page.title || mapWords.untitled}</bdi>
            <span>{mapWords.open}</span>
          </>
        )}
      </p>
      {/* The line above has the help only while no page is lit. */}
      <p id="map-help" hidden>
        {mapWords.help}
      </p>
    </div>
  );
}

const steps: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [panStep, 0],
  ArrowRight: [-panStep, 0],
  ArrowUp: [0, panStep],
  ArrowDown: [0, -panStep],
};

const factors: Readonly<Record<string, number>> = { "+": zoomStep, "=": zoomStep, "-": 1 / zoomStep };

function offsetIn(element: Element, event: { clientX: number; clientY: number }): readonly [number, number] {
  const { left, top } = element.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}
