import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { paths } from "../../paths.ts";
import { Notice } from "../../ui/notice.tsx";
import { ZoomButtons } from "../../ui/zoom-buttons.tsx";
import { mapWords } from "../../words.ts";
import { panned, zoomed } from "./camera.ts";
import type { MapFile } from "./map-file.ts";
import type { MapNames, MapPage } from "./map-names.ts";
import { MapPicture } from "./map-picture.ts";

const panStep = 80;
const zoomStep = 1.4;

/** Pixels that a pointer may move between its press and its release if it is to pick a page. */
const clickTravel = 6;

/**
 * The map as a picture that is moved and zoomed by pointer, wheel, two fingers and keys. Needs a `key` of its own for each
 * map and graph version: it keeps the first map that it gets.
 */
export function MapCanvas({ map, names }: { map: MapFile; names: MapNames }) {
  const box = useRef<HTMLDivElement>(null);
  const ground = useRef<HTMLCanvasElement>(null);
  const labels = useRef<HTMLCanvasElement>(null);
  const [hasWebGl, setWebGl] = useState(true);
  const [page, setPage] = useState<MapPage | null>(null);
  const [picture] = useState(() => new MapPicture(map, names, { onPage: setPage, onWebGl: setWebGl }));
  const pointers = usePointers(picture);
  const navigate = useNavigate();

  useEffect(() => {
    if (box.current === null || ground.current === null || labels.current === null) return;
    return picture.attach({ box: box.current, ground: ground.current, labels: labels.current });
  }, [picture]);

  const openPage = (id: string) => void navigate({ to: paths.page, params: { pageId: id } });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const [step, factor] = [steps[event.key], factors[event.key]];
    if (event.key === "Enter" && page !== null) openPage(page.id);
    else if (event.key === "0" || event.key === "Escape") picture.fit();
    else if (step !== undefined) {
      picture.pan(...step);
      void picture.light(picture.middlePage());
    } else if (factor !== undefined) {
      const kept = picture.lit ?? picture.middlePage();
      // Towards a page, or soon none would be in sight.
      picture.zoomAt(kept, factor);
      void picture.light(kept);
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
        {...pointers}
        onDoubleClick={() => page !== null && openPage(page.id)}
        onKeyDown={onKeyDown}
      >
        <canvas ref={ground} className="absolute inset-0 size-full" />
        <canvas ref={labels} className="absolute inset-0 size-full" />
        <ZoomButtons
          step={zoomStep}
          whole={mapWords.fit}
          onZoom={(factor) => picture.zoomAt(null, factor)}
          onWhole={() => picture.fit()}
        />
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

/** The handlers of pointers: one moves the map or picks a page, two zoom. */
function usePointers(picture: MapPicture) {
  const held = useRef(new Map<number, readonly [number, number]>());
  const travelled = useRef(0);
  const onPointerUp = (event: PointerEvent) => {
    held.current.delete(event.pointerId);
    if (travelled.current < clickTravel) void picture.light(picture.pageAt(event));
  };
  return {
    onPointerDown(event: PointerEvent) {
      event.currentTarget.setPointerCapture(event.pointerId);
      held.current.set(event.pointerId, [event.clientX, event.clientY]);
      travelled.current = 0;
    },
    onPointerMove(event: PointerEvent) {
      const before = held.current.get(event.pointerId);
      if (before === undefined) return void picture.light(picture.pageAt(event));
      const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
      travelled.current += Math.abs(dx) + Math.abs(dy);
      const other = [...held.current].find(([id]) => id !== event.pointerId)?.[1];
      held.current.set(event.pointerId, [event.clientX, event.clientY]);
      if (other === undefined) return picture.pan(dx, dy);
      const apart = Math.hypot(before[0] - other[0], before[1] - other[1]);
      const now = Math.hypot(event.clientX - other[0], event.clientY - other[1]);
      picture.move((camera) => zoomed(panned(camera, dx / 2, dy / 2), now / Math.max(1, apart)));
    },
    onPointerUp,
    onPointerCancel: onPointerUp,
    onPointerLeave: () => void picture.light(null),
  };
}
