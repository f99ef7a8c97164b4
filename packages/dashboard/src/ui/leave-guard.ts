import { useBlocker } from "@tanstack/react-router";
import { useEffect } from "react";

/** Asks the person whether they may be taken away from what is shown; null where nothing would be lost. */
let guard: (() => Promise<boolean>) | null = null;

/** To be awaited by whatever leaves the application without a navigation. */
export async function mayLeave(): Promise<boolean> {
  return guard === null || guard();
}

/** Has every way out of the page ask first: links, the browser's buttons, closing the tab, and signing out. */
export function useLeaveGuard(ask: () => Promise<boolean>, isOn: boolean): void {
  useBlocker({
    shouldBlockFn: async () => !(await ask()),
    enableBeforeUnload: isOn,
    disabled: !isOn,
  });
  useEffect(() => {
    if (!isOn) return;
    guard = ask;
    return () => {
      guard = null;
    };
  }, [ask, isOn]);
}
