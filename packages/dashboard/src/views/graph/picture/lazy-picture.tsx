import type { NodeDetail } from "@clew/client";
import { lazy, Suspense } from "react";
import { loadChunk } from "../../../api/chunks.ts";

// The pictures are a chunk of their own: the text of a page does not wait for them.
const Tab = lazy(async () => ({ default: (await loadChunk(() => import("./graph-tab.tsx"))).GraphTab }));
const Preview = lazy(async () => ({ default: (await loadChunk(() => import("./preview.tsx"))).Preview }));

/** The local graph of a page, large, with its table. */
export function GraphTab({ page }: { page: NodeDetail }) {
  return (
    <Suspense fallback={<span className="loading skeleton h-[32rem]" />}>
      <Tab page={page} />
    </Suspense>
  );
}

/** The local graph of a page, small, as a link to the large one. */
export function PicturePreview({ page }: { page: NodeDetail }) {
  return (
    <Suspense fallback={<span className="skeleton aspect-[4/3]" />}>
      <Preview page={page} />
    </Suspense>
  );
}
