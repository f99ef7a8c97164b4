import type { MapPicture } from "./map-picture.ts";

/** The movements of the map by keyboard, and what keys do to the page that is selected. */
export interface KeyActions {
  /** Called with the page to select. */
  readonly onSelect: (page: number) => void;
  /** Called with a page that the selected one is linked with, and its number among those; null after the last. */
  readonly onVisit: (page: number | null, number: number) => void;
  readonly onOpen: (page: number) => void;
  /** Ends the latest of what was begun. Returns whether there was anything. */
  readonly onEscape: () => boolean;
}

const panStep = 80;
const zoomStep = 1.4;

const directions: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const factors: Readonly<Record<string, number>> = { "+": zoomStep, "=": zoomStep, "-": 1 / zoomStep };

interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
}

/** Does what a key stands for. Returns whether it stands for anything: other keys are the browser's. */
export function pressKey({ key, shiftKey }: Key, picture: MapPicture, actions: KeyActions): boolean {
  const { selected, visited } = picture.marks;
  const current = visited ?? selected;
  const direction = directions[key];
  const factor = factors[key];
  if (direction !== undefined && shiftKey) picture.pan(-direction[0] * panStep, -direction[1] * panStep);
  else if (direction !== undefined) stepTo(picture, current, direction, actions);
  else if (factor !== undefined) picture.zoomAround(current, factor);
  else if (key === "0") picture.fit();
  else if (key === "Tab") return visitLinked(picture, shiftKey, actions);
  else if (key === "Enter" && current !== null) actions.onOpen(current);
  else if (key === "Escape") return actions.onEscape();
  else return false;
  return true;
}

/** Selects the nearest page in a direction; the first time, one in the middle of the picture. */
function stepTo(
  picture: MapPicture,
  from: number | null,
  [dx, dy]: readonly [number, number],
  { onSelect }: KeyActions,
): void {
  const next = from === null ? picture.middlePage() : picture.index.inDirection(from, dx, dy);
  if (next !== null) onSelect(next);
}

/**
 * Goes on among the pages that the selected one is linked with, or back. After the last one, and before the selected one, the focus
 * leaves the map.
 */
function visitLinked(picture: MapPicture, isBack: boolean, { onVisit }: KeyActions): boolean {
  const { selected, visited, linked } = picture.marks;
  if (selected === null || (visited === null && isBack)) return false;
  const number = visited === null ? 0 : linked.indexOf(visited) + (isBack ? -1 : 1);
  const next = linked[number];
  onVisit(next ?? null, number);
  return next !== undefined || isBack;
}
