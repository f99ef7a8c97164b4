import { graphWords } from "../../../words.ts";
import { titleOf } from "../page-name.tsx";
import { type Region, type Regions, topLevel } from "./regions.ts";
import { pictureWords } from "./words.ts";

/** The name of what contains the pages of a region. */
export const regionName = ({ key, title }: Pick<Region, "key" | "title">): string => {
  if (key === topLevel) return graphWords.topLevel;
  return title === null ? pictureWords.elsewhere : titleOf({ title });
};

/** The colours of a picture: which folder, database or page contains the pages that have it, and how many they are. */
export function RegionLegend({ regions: { all } }: { regions: Regions }) {
  const coloured = all.filter(({ colour }) => colour > 0);
  if (coloured.length < 2) return null;
  return (
    <ul aria-label={pictureWords.regions} className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {coloured.map((region) => (
        <li key={region.key} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className="size-3 shrink-0 rounded-full border-2"
            style={{
              borderColor: `var(--region-${region.colour})`,
              background: `color-mix(in oklab, var(--region-${region.colour}) 30%, var(--surface))`,
            }}
          />
          <bdi>{regionName(region)}</bdi>
          <span className="text-quiet">{region.count.toLocaleString("en")}</span>
        </li>
      ))}
    </ul>
  );
}
