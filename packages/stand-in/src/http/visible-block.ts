import type { PlacedBlock } from "../document/placed-block.ts";
import type { View } from "../notion/view.ts";
import type { Entry } from "../workspace/entry.ts";

/** The block of this id with the page that holds it, where the grant sees that page. */
export function visibleBlock(view: View, id: string): { page: Entry; placed: PlacedBlock } | null {
  const found = view.workspace.block(id);
  return found === null || view.entry(found.page.id) === null ? null : found;
}
