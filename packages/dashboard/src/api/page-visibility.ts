import { useSyncExternalStore } from "react";

/** Whether the tab is in the background. A hidden page leaves its connections to other tabs. */
export const usePageHidden = (): boolean => useSyncExternalStore(onVisibility, () => document.hidden);

function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}
