import { Table } from "../../ui/table.tsx";
import type { MapFile, Region } from "./map-file.ts";
import { mapWords } from "./words.ts";

/** Regions that each one is linked with most, as the table names them. */
const mostLinked = 3;

/** The same as the picture, as a table: the regions, and between which of them there are most links. */
export function RegionTable({ map, onShow }: { map: MapFile; onShow: (region: Region) => void }) {
  const inner = Map.groupBy(map.regions.entries(), ([, { parent }]) => parent);
  const ordered = (inner.get(null) ?? []).flatMap((top) => [top, ...(inner.get(top[0]) ?? [])]);
  return (
    <Table
      caption={mapWords.caption}
      head={[mapWords.region, mapWords.pages, ...(map.isByLinks ? [mapWords.linkedMost] : [])]}
    >
      {ordered.map(([number, region]) => (
        <Row key={number} map={map} region={region} number={number} onShow={onShow} />
      ))}
    </Table>
  );
}

function Row({
  map,
  region,
  number,
  onShow,
}: {
  map: MapFile;
  region: Region;
  number: number;
  onShow: (region: Region) => void;
}) {
  return (
    <tr>
      <th scope="row" className={region.parent === null ? "" : "font-normal"}>
        <button
          type="button"
          className={`link text-left ${region.parent === null ? "" : "ml-5"}`}
          onClick={() => onShow(region)}
        >
          <bdi>{region.name || mapWords.untitled}</bdi>
        </button>
      </th>
      <td>{region.pages.toLocaleString("en")}</td>
      {map.isByLinks ? <td>{linkedWith(map, number)}</td> : null}
    </tr>
  );
}

function linkedWith({ bundles, regions }: MapFile, number: number): string {
  return bundles
    .filter(({ from, to }) => from === number || to === number)
    .slice(0, mostLinked)
    .map(({ from, to, links }) => mapWords.linkedTo(regions[from === number ? to : from]?.name ?? "", links))
    .join(" · ");
}
