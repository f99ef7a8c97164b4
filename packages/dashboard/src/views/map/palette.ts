import type { MapColour } from "@clew/contract";
import { at, type LegendEntry, type MapFile, topRegions } from "./map-file.ts";
import type { Colouring } from "./map-params.ts";

/** The colours of a picture of the map. Numbers are those of `MapFile.colours`. */
export interface Palette {
  /** Red, green and blue of the pages of each number. */
  readonly dots: Uint8Array;
  /** The colour of each number in CSS. */
  css(number: number): string;
}

/** Lightness and chroma (Oklch) of pages, on a light ground and on a dark one. */
const tones = { light: [0.6, 0.125], dark: [0.73, 0.115] } as const;

/** Hues of an atlas, in degrees: apart from each other, and none of them is the accent's. */
const hues = [250, 152, 305, 88, 12, 198, 278, 122, 345, 64, 175, 228] as const;

const grey = { light: [0.72, 0.012], dark: [0.45, 0.012] } as const;
const rust = { light: [0.55, 0.15], dark: [0.72, 0.14] } as const;
const rustHue = 42;
const greyHue = 80;
const editedHue = 250;

/** The number of the pages in a list; all others have 0. */
export const inList = 1;

export function paletteOf(colouring: Colouring, map: MapFile, isDark: boolean): Palette {
  const theme = isDark ? "dark" : "light";
  const colourOf = colourings[colouring](map, theme);
  const dots = new Uint8Array(3 * 256);
  for (let number = 0; number < 256; number += 1) dots.set(rgbOf(...colourOf(number)), 3 * number);
  return { dots, css: (number) => cssOf(dots, number) };
}

/** The colours of regions where pages are coloured by something else. */
export function quietGround(isDark: boolean): Palette {
  const dots = new Uint8Array(3 * 256);
  const [lightness, chroma] = grey[isDark ? "dark" : "light"];
  const colour = rgbOf(lightness, chroma, greyHue);
  for (let number = 0; number < 256; number += 1) dots.set(colour, 3 * number);
  return { dots, css: (number) => cssOf(dots, number) };
}

const cssOf = (dots: Uint8Array, number: number) =>
  `rgb(${at(dots, 3 * number)} ${at(dots, 3 * number + 1)} ${at(dots, 3 * number + 2)})`;

type Theme = keyof typeof tones;
type Oklch = readonly [lightness: number, chroma: number, hue: number];

const colourings: Readonly<Record<Colouring, (map: MapFile, theme: Theme) => (number: number) => Oklch>> = {
  region(map, theme) {
    const chosen = huesOfRegions(map);
    return (number) => [...tones[theme], hues[chosen[number] ?? 0] ?? 0];
  },
  folder: (_map, theme) => (number) => [...tones[theme], hues[number % hues.length] ?? 0],
  database: (_map, theme) => (number) =>
    number === 0 ? [...grey[theme], greyHue] : [...tones[theme], hues[(number - 1) % hues.length] ?? 0],
  edited({ legend }, theme) {
    const last = Math.max(1, ...legend.flatMap(({ colour, value }) => (colour === "edited" ? [value] : [])));
    return (number) => {
      // The latest edits stand out most.
      const age = Math.min(1, number / last);
      const [fresh, old] = theme === "dark" ? ([0.85, 0.4] as const) : ([0.42, 0.84] as const);
      return [fresh + (old - fresh) * age, 0.14 - 0.09 * age, editedHue];
    };
  },
  broken: ofList,
  stale: ofList,
  orphan: ofList,
};

function ofList(_map: MapFile, theme: Theme): (number: number) => Oklch {
  return (number) => (number === inList ? [...rust[theme], rustHue] : [...grey[theme], greyHue]);
}

/** A hue for each region of the first level: the one that is farthest from those of the regions around. */
function huesOfRegions(map: MapFile): readonly number[] {
  const chosen: number[] = [];
  const tops = topRegions(map);
  for (const region of tops) {
    const costs = hues.map((hue) =>
      chosen.reduce((cost, other, index) => {
        const beside = tops[index];
        if (beside === undefined) return cost;
        const gap = Math.hypot(region.x - beside.x, region.y - beside.y) - region.radius - beside.radius;
        const turn = Math.abs(hue - (hues[other] ?? 0));
        const apart = Math.min(turn, 360 - turn);
        // The same hue again costs something at any distance.
        return cost + Math.exp(-apart / 35) / (0.02 + Math.max(0, gap)) ** 1.5 + (apart === 0 ? 40 : 0);
      }, 0),
    );
    chosen.push(costs.indexOf(Math.min(...costs)));
  }
  return chosen;
}

/** The entries of the legend for a colouring by the file, the largest first; times stay in their order. */
export function legendFor(colouring: MapColour, map: MapFile): readonly LegendEntry[] {
  const entries =
    colouring === "region"
      ? topRegions(map).map(
          ({ name, pages }, value): LegendEntry => ({ colour: "region", value, name, pages }),
        )
      : map.legend.filter(({ colour }) => colour === colouring);
  return colouring === "edited"
    ? entries
    : entries.toSorted((a, b) => b.pages - a.pages || a.value - b.value);
}

/** https://bottosson.github.io/posts/oklab/ */
function rgbOf(lightness: number, chroma: number, hue: number): readonly [number, number, number] {
  const angle = (hue * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    encoded(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
    encoded(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
    encoded(-0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short),
  ];
}

/** A linear part of a colour as a byte of sRGB. */
function encoded(linear: number): number {
  const value = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
}
