import type { FieldError } from "@clew/contract";
import { fold } from "@clew/graph";
import type { UnknownOptions } from "../../graph-cache/rows/option-census.ts";
import type { Column } from "../../model/column.ts";
import { editDistance } from "../../model/edit-distance.ts";
import { nameOfType, quoted } from "./conditions.ts";

const maxValuesNamed = 5;
const maxOptionsNamed = 20;
/** Longer names are compared by their beginning. */
const comparedUnits = 40;

/**
 * Where a condition has values that are no options: names them and the options, those like the first value first.
 *
 * @param isWhole whether all rows were ever read; otherwise other options may follow
 */
export function unknownOption(
  { values, ofRows }: UnknownOptions,
  { name, type, options }: Column,
  isWhole: boolean,
): FieldError {
  const all = nearestFirst(new Map([...ofRows, ...options].map((option) => [fold(option), option])), values);
  const known = all.length === 0 ? "none" : listed(all, maxOptionsNamed);
  const soFar = isWhole ? "" : " found so far";
  return {
    path: "?where",
    message:
      `compares ${quoted(name)}, ${nameOfType(type)}, with ${listed(values, maxValuesNamed)}, ` +
      `not among its options${soFar}: ${known}`,
  };
}

function listed(names: readonly string[], most: number): string {
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return names.slice(0, most).map(quoted).join(", ") + more;
}

/** The options, those first that contain a value or are contained in it, then by edit distance. */
function nearestFirst(options: ReadonlyMap<string, string>, [value = ""]: readonly string[]): string[] {
  const wanted = fold(value).slice(0, comparedUnits);
  const distanceOf = (folded: string) => {
    const option = folded.slice(0, comparedUnits);
    return option.includes(wanted) || wanted.includes(option) ? 0 : editDistance(wanted, option);
  };
  return [...options]
    .map(([folded, option]) => ({ option, distance: distanceOf(folded) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ option }) => option);
}
