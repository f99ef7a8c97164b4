import { useEffect, useMemo, useState } from "react";
import { useTokenActivity } from "../../api/token-activity.ts";
import type { LitPage } from "./marks.ts";

/** Milliseconds for which a page that was just read glows brightly. */
const brightMs = 10_000;

/** Milliseconds between two steps in which a glow fades. */
const stepMs = 500;

/** The strength of a page that was read before. */
const afterglow = 0.35;

/** Pages that glow at most: the ones that were read last. */
const mostPages = 200;

/** The pages that a token has read lately, as they glow: brightly for ten seconds, and faintly from then on. */
export function useLitPages(tokenId: number, colour: string): readonly LitPage[] {
  const calls = useTokenActivity(tokenId).data?.latest;
  const [now, setNow] = useState(Date.now);
  const newest = Date.parse(calls?.[0]?.at ?? "");
  useEffect(() => {
    const end = newest + brightMs + stepMs;
    if (!(end > Date.now())) return;
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() > end) clearInterval(timer);
    }, stepMs);
    return () => clearInterval(timer);
  }, [newest]);
  return useMemo(() => {
    const lit = new Map<string, LitPage>();
    for (const { at, node_ids: ids } of calls ?? []) {
      const strength = Math.min(1, Math.max(afterglow, 1 - (now - Date.parse(at)) / brightMs));
      for (const id of ids) if (!lit.has(id) && lit.size < mostPages) lit.set(id, { id, colour, strength });
    }
    return [...lit.values()];
  }, [calls, now, colour]);
}
