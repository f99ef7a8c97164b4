import type { Workspace } from "@clew/client";
import { Link, useNavigate } from "@tanstack/react-router";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { paths } from "../../paths.ts";
import { announce } from "../../ui/announce.ts";
import { downloadBlob } from "../../ui/download.ts";
import { showToast } from "../../ui/toast.tsx";
import { ZoomButtons } from "../../ui/zoom-buttons.tsx";
import type { Place } from "./camera.ts";
import type { Area } from "./labels.ts";
import { Legend } from "./legend.tsx";
import { useLitPages } from "./lit-pages.ts";
import type { MapFile } from "./map-file.ts";
import { type KeyActions, pressKey } from "./map-keys.ts";
import type { MapNames } from "./map-names.ts";
import { type ChangeSearch, type MapSearch, onlyOf, placeOf, placeText } from "./map-params.ts";
import { MapPicture } from "./map-picture.ts";
import { followPointers } from "./map-pointer.ts";
import { useMapTheme } from "./map-theme.ts";
import type { LitPage } from "./marks.ts";
import { PagePanel } from "./page-panel.tsx";
import { PathPanel } from "./path-panel.tsx";
import { useLook } from "./use-look.ts";
import { showLinks, usePath, useSelection } from "./use-selection.ts";
import { mapWords } from "./words.ts";

const zoomStep = 1.6;

export interface StageProps {
  readonly workspace: Workspace;
  readonly map: MapFile;
  /** Whether x and y of the map are exchanged, against what the URL has. */
  readonly isTransposed: boolean;
  /** The colours of pages that the URL asks for, unless it asks for a list; null until they are known. */
  readonly colours: Uint8Array | null;
  readonly names: MapNames;
  readonly search: MapSearch;
  readonly change: ChangeSearch;
  /** Whether the next page that is chosen is the other end of a path. */
  readonly isPicking: boolean;
  readonly onPicking: (isPicking: boolean) => void;
  /** Receives what downloads the picture. */
  readonly download: RefObject<(() => void) | null>;
  /** Whether the picture before this one had the focus when it went, such as that of an earlier version of the map. */
  readonly hadFocus: RefObject<boolean>;
  /** Pages that glow: those that somebody reads at this moment. */
  readonly lit?: readonly LitPage[];
  /** A hint over the map, shown while no page has to be chosen. */
  readonly children?: ReactNode;
}

/**
 * The picture of a map, with what lies over it. Needs a `key` of its own for each map: it keeps the first that it gets. The URL
 * says what is shown; pointers and keys change the URL, and the picture follows.
 */
export function MapStage(props: StageProps) {
  const { workspace, map, names, search, change, isPicking, onPicking, download, lit } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const helpId = useId();
  const navigate = useNavigate();
  const picture = usePicture(props, box, canvas);
  useKeptFocus(box, props.hadFocus);
  const selected = useSelection({ picture, names, search, change });
  const path = usePath({ picture, names, search });
  const isMissing = selected.isMissing || path.isMissing;
  const { look, regions, entries, isCut } = useLook({ ...props, workspace: workspace.id });
  useEffect(() => {
    picture.look = look;
  }, [picture, look]);
  useLit(picture, names, lit);
  useEffect(() => {
    download.current = () =>
      void picture.png().then((blob) => {
        if (blob === null) showToast(mapWords.downloadFailed);
        else downloadBlob(blob, mapWords.fileName(workspace.name ?? ""));
      });
    return () => {
      download.current = null;
    };
  }, [picture, download, workspace.name]);

  const open = (position: number) =>
    void names.page(position).then((page) => {
      if (page !== null) void navigate({ to: paths.page, params: { pageId: page.id } });
    });
  /** Goes to a page, or takes it as the other end of the path. */
  const choose = (position: number, isEnd: boolean) =>
    void names.page(position).then((page) => {
      if (page === null) return;
      if (isEnd && search.page !== undefined && page.id !== search.page)
        change({ to: page.id, at: undefined });
      else selected.choose(page);
      onPicking(false);
    });
  const leave = () => {
    selected.choose(null);
    onPicking(false);
  };
  const goBack = () => {
    if (isPicking) onPicking(false);
    else if (search.to !== undefined) change({ to: undefined });
    else if (picture.marks.selected !== null) leave();
    else return false;
    return true;
  };

  // A panel that has come may cover the page. A URL that has a place is shown as it is, such as that of the Back button.
  const placedPage = useRef(search.at === undefined ? undefined : search.page);
  const { id: shownId, position: shownPosition } = selected.page ?? {};
  useEffect(() => {
    if (shownPosition === undefined) return;
    if (shownId !== placedPage.current) picture.reveal(shownPosition);
    placedPage.current = undefined;
  }, [picture, shownId, shownPosition]);

  const actions = useRef({ choose, open, leave, isPicking });
  actions.current = { choose, open, leave, isPicking };
  useEffect(() => {
    if (box.current === null) return;
    return followPointers(box.current, picture, {
      onPick(position, isWithShift) {
        const { isPicking: isEnd } = actions.current;
        if (position === null) {
          if (!isEnd) actions.current.leave();
        } else if (position === picture.marks.selected && !isEnd) actions.current.open(position);
        else actions.current.choose(position, isWithShift || isEnd);
      },
      onHover(hovered) {
        const { selected: shown } = picture.marks;
        picture.mark({ hovered, linked: [] });
        if (hovered === null && shown !== null) void showLinks(picture, names, shown);
      },
      onLinger: (hovered) => void showLinks(picture, names, hovered),
    });
  }, [picture, names]);

  const keys: KeyActions = {
    onSelect: selected.step,
    onVisit(visited, number) {
      picture.mark({ visited });
      if (visited === null) return;
      picture.reveal(visited);
      const { length } = picture.marks.linked;
      void names.page(visited).then((page) => {
        if (page !== null) announce(mapWords.visited(page.title, number + 1, length));
      });
    },
    onOpen: (position) => (isPicking ? choose(position, true) : open(position)),
    onEscape: goBack,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (pressKey(event, picture, keys)) event.preventDefault();
  };

  return (
    <div className="relative min-h-0 overflow-hidden">
      <div
        ref={box}
        role="application"
        aria-label={mapWords.label(map.count)}
        aria-describedby={helpId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the map is moved by keys.
        tabIndex={0}
        className="absolute inset-0 cursor-grab touch-none select-none active:cursor-grabbing focus-visible:-outline-offset-3"
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} className="absolute inset-0 size-full" />
      </div>
      <p id={helpId} className="sr-only">
        {mapWords.help}
      </p>
      <Legend
        key={search.colour}
        colouring={search.colour ?? "region"}
        entries={entries}
        palette={look.palette}
        only={onlyOf(search)}
        isCut={isCut}
        onOnly={(values) => change({ only: values.length === 0 ? undefined : values.join(",") })}
      />
      <ZoomButtons
        step={zoomStep}
        whole={mapWords.fit}
        onZoom={(factor) => picture.zoomAround(null, factor)}
        onWhole={() => picture.fit()}
      />
      {selected.page !== null && search.to === undefined ? (
        <PagePanel
          key={selected.page.id}
          page={selected.page}
          map={map}
          tops={look.tops}
          palette={regions}
          names={names}
          onSelect={selected.choose}
          onPath={() => onPicking(true)}
          onClose={leave}
        />
      ) : null}
      {search.page !== undefined && search.to !== undefined ? (
        <PathPanel from={search.page} to={search.to} onClose={() => change({ to: undefined })} />
      ) : null}
      {isPicking ? (
        <Hint>
          {mapWords.pickEnd}
          <button type="button" className="link" onClick={() => onPicking(false)}>
            {mapWords.cancel}
          </button>
        </Hint>
      ) : null}
      {!isPicking && isMissing ? <Hint>{mapWords.notOnMap}</Hint> : null}
      {isPicking || isMissing ? null : props.children}
    </div>
  );
}

/** One line above the map. */
function Hint({ children }: { children: ReactNode }) {
  return (
    <p data-covers role="status" className="map-card map-hint">
      {children}
    </p>
  );
}

/** The picture of the map, drawn on the canvas. What is in sight follows the URL, and the URL follows it once it rests. */
function usePicture(
  { map, names, search, change, isTransposed }: StageProps,
  box: RefObject<HTMLElement | null>,
  canvas: RefObject<HTMLCanvasElement | null>,
): MapPicture {
  const written = useRef(search.at);
  const [picture] = useState(() => {
    const rest = (place: Place | null) => {
      const at = place === null ? undefined : placeText(place, isTransposed);
      if (at === written.current) return;
      written.current = at;
      change({ at });
    };
    const shown = new MapPicture(map, names, rest);
    const place = placeOf(search, isTransposed);
    if (place !== null) shown.show(place);
    return shown;
  });
  // Before anybody can press a key.
  useLayoutEffect(() => {
    const [stage, ground] = [box.current, canvas.current];
    if (stage === null || ground === null) return;
    return picture.attach(ground, () => coveredAreas(stage));
  }, [picture, box, canvas]);
  // The place of a link, and of the browser's buttons.
  useEffect(() => {
    if (written.current === search.at) return;
    written.current = search.at;
    const place = placeOf(search, isTransposed);
    if (place !== null) picture.show(place);
    else if (search.page === undefined) picture.fit();
  }, [picture, search, isTransposed]);
  return picture;
}

/** Takes over the focus of the picture before, and leaves it to the next one. */
function useKeptFocus(box: RefObject<HTMLElement | null>, hadFocus: RefObject<boolean>): void {
  useLayoutEffect(() => {
    const stage = box.current;
    if (stage === null) return;
    if (hadFocus.current) stage.focus();
    return () => {
      hadFocus.current = document.activeElement === stage;
    };
  }, [box, hadFocus]);
}

/** The parts of a picture that something lies over. */
function coveredAreas(stage: HTMLElement): Area[] {
  const origin = stage.getBoundingClientRect();
  return [...(stage.parentElement?.querySelectorAll("[data-covers]") ?? [])].map((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return {
      left: left - origin.left,
      top: top - origin.top,
      right: right - origin.left,
      bottom: bottom - origin.top,
    };
  });
}

/** The same, where the pages that a token reads glow. */
export function LitStage({ tokenId, ...props }: StageProps & { readonly tokenId: number }) {
  const lit = useLitPages(tokenId, useMapTheme().thread);
  return (
    <MapStage {...props} lit={lit}>
      <Hint>
        {mapWords.lit(lit.length)}
        <Link className="link" to={paths.token} params={{ tokenId: String(tokenId) }}>
          {mapWords.litCalls}
        </Link>
        <button type="button" className="link" onClick={() => props.change({ lit: undefined })}>
          {mapWords.litEnd}
        </button>
      </Hint>
    </MapStage>
  );
}

function useLit(picture: MapPicture, names: MapNames, lit: StageProps["lit"]): void {
  useEffect(() => {
    if (lit === undefined) return;
    let isOver = false;
    void names.withIds(lit.map(({ id }) => id)).then((pages) => {
      if (isOver) return;
      const positions = new Map(pages.map(({ id, position }) => [id, position]));
      const found = lit.flatMap(({ id, ...glow }) => {
        const position = positions.get(id);
        return position === undefined ? [] : [{ ...glow, position }];
      });
      picture.mark({ lit: found });
    });
    return () => {
      isOver = true;
    };
  }, [picture, names, lit]);
}
