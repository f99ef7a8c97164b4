import { panned, zoomed } from "./camera.ts";
import type { MapPicture } from "./map-picture.ts";

/** Pixels that a pointer may move between its press and its release if it is to pick a page. */
const clickTravel = 6;

/** Pixels around a pointer within which a page is picked: a finger is less exact than a mouse. */
const reach = { mouse: 10, touch: 20 } as const;

/** Milliseconds that a mouse rests on a page before its name is shown, and before its links are asked for. */
const hoverMs = { name: 60, links: 150 } as const;

interface PointerActions {
  /** Called with the page that was clicked or tapped; null for none. */
  readonly onPick: (page: number | null, isWithShift: boolean) => void;
  /** Called when a page is to be named, and with null when none is any more. */
  readonly onHover: (page: number | null) => void;
  /** Called when its links are to be shown too. */
  readonly onLinger: (page: number) => void;
}

/**
 * Moves a map by pointers: one drags, two pinch, the wheel zooms, a click or a tap picks a page, a resting mouse names one. Returns a
 * function that ends it.
 */
export function followPointers(
  box: HTMLElement,
  picture: MapPicture,
  { onPick, onHover, onLinger }: PointerActions,
): () => void {
  const held = new Map<number, readonly [x: number, y: number]>();
  let travelled = 0;
  let most = 0;
  let hovered: number | null = null;
  let timers: ReturnType<typeof setTimeout>[] = [];

  const pageAt = (event: PointerEvent) => {
    const { left, top } = box.getBoundingClientRect();
    const within = event.pointerType === "mouse" ? reach.mouse : reach.touch;
    return picture.pageAt(event.clientX - left, event.clientY - top, within);
  };
  const hover = (page: number | null) => {
    box.style.cursor = page === null ? "" : "pointer";
    if (page === hovered) return;
    hovered = page;
    for (const timer of timers) clearTimeout(timer);
    timers = [];
    if (page === null) return onHover(null);
    timers = [setTimeout(onHover, hoverMs.name, page), setTimeout(onLinger, hoverMs.links, page)];
  };

  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    box.setPointerCapture(event.pointerId);
    held.set(event.pointerId, [event.clientX, event.clientY]);
    if (held.size === 1) [travelled, most] = [0, 0];
    most = Math.max(most, held.size);
  };
  const drag = (event: PointerEvent) => {
    const before = held.get(event.pointerId);
    if (before === undefined) {
      if (event.pointerType !== "touch") hover(pageAt(event));
      return;
    }
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    travelled += Math.abs(dx) + Math.abs(dy);
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
    if (other === undefined && travelled < clickTravel) return;
    held.set(event.pointerId, [event.clientX, event.clientY]);
    if (other === undefined) return picture.pan(dx, dy);
    const apart = Math.hypot(before[0] - other[0], before[1] - other[1]);
    const now = Math.hypot(event.clientX - other[0], event.clientY - other[1]);
    const { left, top, width, height } = box.getBoundingClientRect();
    const x = (event.clientX + other[0]) / 2 - left - width / 2;
    const y = (event.clientY + other[1]) / 2 - top - height / 2;
    picture.move((camera) => zoomed(panned(camera, dx / 2, dy / 2), now / Math.max(1, apart), x, y));
  };
  const release = (event: PointerEvent) => {
    if (!held.delete(event.pointerId) || held.size > 0) return;
    if (travelled < clickTravel && most === 1) onPick(pageAt(event), event.shiftKey);
  };
  const cancel = (event: PointerEvent) => held.delete(event.pointerId);
  const leave = () => hover(null);
  const turn = (event: WheelEvent) => {
    event.preventDefault();
    const { left, top } = box.getBoundingClientRect();
    // A pinch on a touchpad comes as small turns with Ctrl.
    const factor = 2 ** (-event.deltaY / (event.ctrlKey ? 60 : 300));
    picture.zoom(factor, event.clientX - left, event.clientY - top);
  };

  const listeners = new AbortController();
  const { signal } = listeners;
  box.addEventListener("pointerdown", press, { signal });
  box.addEventListener("pointermove", drag, { signal });
  box.addEventListener("pointerup", release, { signal });
  box.addEventListener("pointercancel", cancel, { signal });
  box.addEventListener("pointerleave", leave, { signal });
  box.addEventListener("wheel", turn, { signal, passive: false });
  return () => {
    listeners.abort();
    for (const timer of timers) clearTimeout(timer);
  };
}
