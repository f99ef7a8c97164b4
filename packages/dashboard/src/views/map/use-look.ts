import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useApi } from "../../api/app-context.ts";
import type { Look } from "./dots-layer.ts";
import { listQuery } from "./list-pages.ts";
import { at, type LegendEntry, type MapFile } from "./map-file.ts";
import type { MapNames } from "./map-names.ts";
import { type Colouring, isList, type MapList, type MapSearch, onlyOf } from "./map-params.ts";
import { matchesQuery } from "./map-search.tsx";
import { useMapTheme } from "./map-theme.ts";
import { inList, legendFor, type Palette, paletteOf, quietGround } from "./palette.ts";
import { mapWords } from "./words.ts";

/** The look of a map's pages, and what its legend says. */
interface MapLook {
  readonly look: Look;
  /** The colours of regions, whatever those of pages say. */
  readonly regions: Palette;
  readonly entries: readonly Pick<LegendEntry, "value" | "name" | "pages">[];
  /** Whether the list has more pages than are coloured. */
  readonly isCut: boolean;
}

/** Reads what the URL asks for: the colours of the pages, and which of them stand out. */
export function useLook({
  workspace,
  map,
  colours,
  names,
  search,
}: {
  workspace: string;
  map: MapFile;
  colours: Uint8Array | null;
  names: MapNames;
  search: MapSearch;
}): MapLook {
  const api = useApi();
  const theme = useMapTheme();
  const { isDark } = theme;
  const wanted = search.colour ?? "region";
  const { data: list } = useQuery(listQuery(api, workspace, names, isList(wanted) ? wanted : null));
  const { data: matches } = useQuery(matchesQuery(api, workspace, search.q));
  const matched = usePositions(names, search.q === undefined ? undefined : matches?.items);
  // Until its colours are known, the map has those of its regions.
  const isReady = isList(wanted) ? list !== undefined : colours !== null;
  const colouring: Colouring = isReady ? wanted : "region";
  const column = useMemo(() => {
    if (isList(colouring)) return maskOf(map.count, list?.positions ?? [], inList);
    return colouring === "region" ? map.colours : (colours ?? map.colours);
  }, [map, colouring, list, colours]);
  const { only } = search;
  const shown = useMemo(() => shownPages(column, onlyOf({ only }), matched), [column, only, matched]);
  const sought = useMemo(() => {
    if (matched !== null) return maskOf(map.count, matched);
    return isList(colouring) ? column : null;
  }, [map, matched, colouring, column]);
  const regions = useMemo(() => paletteOf("region", map, isDark), [map, isDark]);
  const look = useMemo(() => {
    const isByRegion = colouring === "region";
    return {
      palette: isByRegion ? regions : paletteOf(colouring, map, isDark),
      ground: isByRegion ? regions : quietGround(isDark),
      tops: map.colours,
      theme,
      colours: column,
      shown,
      sought,
    };
  }, [regions, colouring, map, isDark, theme, column, shown, sought]);
  const entries = useMemo(
    () =>
      isList(colouring)
        ? listLegend(colouring, map, list?.positions.length ?? 0)
        : namedLegend(colouring, map),
    [colouring, map, list],
  );
  return { look, regions, entries, isCut: isList(colouring) && list?.isCut === true };
}

/** A value for each page: `value` at these positions, 0 elsewhere. */
function maskOf(count: number, positions: readonly number[], value = 1): Uint8Array {
  const mask = new Uint8Array(count);
  for (const position of positions) mask[position] = value;
  return mask;
}

/** The pages that have one of the values, if there are any, and are among the matches, if there are any; null for all. */
function shownPages(
  column: Uint8Array,
  values: readonly number[],
  matched: readonly number[] | null,
): Uint8Array | null {
  if (values.length === 0) return matched === null ? null : maskOf(column.length, matched);
  const isMatch = matched === null ? null : maskOf(column.length, matched);
  return column.map((value, page) =>
    values.includes(value) && (isMatch === null || at(isMatch, page) === 1) ? 1 : 0,
  );
}

const listLegend = (list: MapList, { count }: MapFile, inIt: number) => [
  { value: inList, name: mapWords.colours[list], pages: inIt },
  { value: 0, name: mapWords.allOthers, pages: count - inIt },
];

const namedLegend = (colouring: Exclude<Colouring, MapList>, map: MapFile) =>
  legendFor(colouring, map).map((entry) => ({ ...entry, name: mapWords.entry(colouring, entry.name) }));

/** The positions of pages; null for undefined, and until they are known. */
function usePositions(
  names: MapNames,
  items: readonly { readonly node: { readonly id: string } }[] | undefined,
): readonly number[] | null {
  const [positions, setPositions] = useState<readonly number[] | null>(null);
  useEffect(() => {
    if (items === undefined) return setPositions(null);
    let isOver = false;
    const read = async () => {
      const pages = await names.withIds(items.map(({ node }) => node.id));
      if (!isOver) setPositions(pages.map(({ position }) => position));
    };
    // The matches are listed below the field in any case.
    read().catch(() => {});
    return () => {
      isOver = true;
    };
  }, [names, items]);
  return positions;
}
