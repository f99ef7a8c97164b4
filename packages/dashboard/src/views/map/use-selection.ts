import { useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { announce } from "../../ui/announce.ts";
import type { MapNames, MapPage } from "./map-names.ts";
import type { ChangeSearch, MapSearch } from "./map-params.ts";
import type { MapPicture } from "./map-picture.ts";
import { pathQuery } from "./path-panel.tsx";
import { mapWords } from "./words.ts";

/** Milliseconds after which a page that was reached by keyboard is in the URL, and its panel is shown. */
const keyPauseMs = 250;

/** The parts with which a picture follows the URL, and the other way round. */
interface Parts {
  readonly picture: MapPicture;
  readonly names: MapNames;
  readonly search: MapSearch;
  readonly change: ChangeSearch;
}

/** The page that is selected. */
interface Selection {
  /** Null for none, and until it is known. */
  readonly page: MapPage | null;
  /** Whether the URL names a page that the map does not have. */
  readonly isMissing: boolean;
  /** Selects a page, or none. */
  choose(page: MapPage | null): void;
  /** Marks a page at once and has it said. The rest follows when no further key comes. */
  step(position: number): void;
}

/** Marks the page that the URL selects. The picture flies to it unless the URL says what is in sight. */
export function useSelection({ picture, names, search, change }: Parts): Selection {
  const [page, setPage] = useState<MapPage | null>(null);
  const [isMissing, setMissing] = useState(false);
  const chosen = useRef<string | null>(null);
  const timer = useRef<number>(undefined);
  const isToFly = search.at === undefined && search.to === undefined;
  // Before anybody can press a key, whose mark it would take away.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it flies when a page is selected, not when the place changes later.
  useLayoutEffect(() => {
    let isOver = false;
    const read = async (id: string) => {
      const [found] = await names.withIds([id]);
      if (isOver) return;
      setMissing(found === undefined);
      setPage(found ?? null);
      if (found === undefined) return;
      picture.mark({ selected: found.position, visited: null });
      if (isToFly && chosen.current !== id) picture.flyTo([found.position]);
      await showLinks(picture, names, found.position);
    };
    if (search.page === undefined) {
      setPage(null);
      setMissing(false);
      picture.mark({ selected: null, visited: null, linked: [] });
    } else read(search.page).catch(() => setMissing(true));
    return () => {
      isOver = true;
    };
  }, [picture, names, search.page]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const mark = (position: number | null) => {
    clearTimeout(timer.current);
    picture.mark({ selected: position, visited: null, hovered: null, linked: [] });
  };
  const choose = (next: MapPage | null) => {
    mark(next?.position ?? null);
    chosen.current = next?.id ?? null;
    change({ page: next?.id, to: undefined });
  };
  return {
    page,
    isMissing,
    choose,
    step(position) {
      mark(position);
      picture.reveal(position);
      void names.page(position).then((next) => {
        if (next === null || picture.marks.selected !== position) return;
        announce(next.title || mapWords.untitled);
        timer.current = window.setTimeout(choose, keyPauseMs, next);
      });
    },
  };
}

/** Shows the links of a page, if it is still the one whose links are to be shown. */
export async function showLinks(picture: MapPicture, names: MapNames, position: number): Promise<void> {
  const pages = await names.linkedWith(position).catch(() => []);
  const { hovered, selected } = picture.marks;
  if ((hovered ?? selected) !== position) return;
  picture.mark({ linked: pages.flatMap((page) => (page.position === position ? [] : [page.position])) });
}

/** Marks the path that the URL asks for. Returns whether some of its pages are not on this map. */
export function usePath({ picture, names, search }: Omit<Parts, "change">): { readonly isMissing: boolean } {
  const { data } = useQuery(pathQuery(useApi(), search.page, search.to));
  const [isMissing, setMissing] = useState(false);
  const nodes = search.to === undefined ? undefined : data;
  const isToFly = search.at === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it flies when a path is drawn, not when the place changes later.
  useEffect(() => {
    let isOver = false;
    const mark = async (ids: readonly string[]) => {
      const path = (await names.withIds(ids)).map(({ position }) => position);
      if (isOver) return;
      setMissing(path.length < ids.length);
      picture.mark({ path });
      if (isToFly) picture.flyTo(path);
    };
    mark((nodes ?? []).map(({ id }) => id)).catch(() => setMissing(true));
    return () => {
      isOver = true;
    };
  }, [picture, names, nodes]);
  return { isMissing };
}
