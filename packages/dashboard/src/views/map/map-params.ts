import type { MapColour } from "@clew/contract";
import { choiceParam, textParam, withoutUndefined } from "../../url-params.ts";
import type { Place } from "./camera.ts";

/** The lists whose pages can stand out by their colour. */
export const mapLists = ["broken", "stale", "orphan"] as const;
export type MapList = (typeof mapLists)[number];

/** The facts that the colours of a picture can say. */
export type Colouring = MapColour | MapList;

export const isList = (colouring: Colouring): colouring is MapList =>
  mapLists.some((list) => list === colouring);

/** The parameters in the URL of the map. */
export interface MapSearch {
  readonly workspace?: string;
  /** By links unless it says otherwise. */
  readonly by?: "folder";
  /** The middle of the picture as fractions of the map, and how many times it is doubled against the whole map. */
  readonly at?: string;
  /** The page that is selected. */
  readonly page?: string;
  /** The page at the other end of the path that is drawn from there. */
  readonly to?: string;
  readonly colour?: Exclude<Colouring, "region">;
  /** The values of the legend that are shown alone, separated by commas. */
  readonly only?: string;
  readonly q?: string;
  readonly view?: "table";
  /** Whose pages glow as they are read, as `token:7`. */
  readonly lit?: string;
}

const litToken = /^token:(\d{1,15})$/;

const colourings = ["folder", "database", "edited", ...mapLists] as const;

/** Changes parameters of the URL, in place of those that were there. */
export type ChangeSearch = (
  changes: {
    readonly [Name in keyof MapSearch]: MapSearch[Name] | undefined;
  },
) => void;

/** Reads the URL's parameters; invalid ones are left out. */
export function readMapSearch(raw: Readonly<Record<string, unknown>>): MapSearch {
  const text = (name: string) => textParam(raw, name);
  const matching = (name: string, pattern: RegExp) => {
    const value = text(name);
    return value !== undefined && pattern.test(value) ? value : undefined;
  };
  return withoutUndefined({
    workspace: text("workspace"),
    by: choiceParam(raw, "by", ["folder"]),
    at: matching("at", /^-?[\d.]+,-?[\d.]+,-?[\d.]+$/),
    page: text("page"),
    to: text("to"),
    colour: choiceParam(raw, "colour", colourings),
    only: matching("only", /^\d{1,3}(,\d{1,3})*$/),
    q: text("q"),
    view: choiceParam(raw, "view", ["table"]),
    lit: matching("lit", litToken),
  });
}

/** The place that the URL names, which is one of the map as it is sent; null for the whole map. */
export function placeOf({ at }: MapSearch, isTransposed: boolean): Place | null {
  const [x = Number.NaN, y = Number.NaN, zoom = Number.NaN] = at?.split(",").map(Number) ?? [];
  if (![x, y, zoom].every(Number.isFinite)) return null;
  return isTransposed ? { x: y, y: x, zoom } : { x, y, zoom };
}

/** A place as the URL has it. */
export function placeText({ x, y, zoom }: Place, isTransposed: boolean): string {
  const [first, second] = isTransposed ? [y, x] : [x, y];
  return [first.toFixed(5), second.toFixed(5), zoom.toFixed(2)].join(",");
}

/** The token whose pages glow; null if there is none. */
export function litTokenOf({ lit = "" }: MapSearch): number | null {
  const id = litToken.exec(lit)?.[1];
  return id === undefined ? null : Number(id);
}

/** The values of the legend that are shown alone. */
export const onlyOf = ({ only }: { readonly only?: string | undefined }): readonly number[] =>
  only?.split(",").map(Number) ?? [];
