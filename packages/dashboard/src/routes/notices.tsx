import { useSyncExternalStore } from "react";
import { useApp } from "../api/app-context.ts";
import { Notice } from "../ui/notice.tsx";
import { Toast } from "../ui/toast.tsx";
import { outageWords } from "../words.ts";

/** The notices above every view: Clew cannot be reached, or something has just happened. */
export function Notices() {
  const { reachability } = useApp();
  const isReached = useSyncExternalStore(reachability.subscribe, reachability.isReached);
  return (
    <div className="mb-6 grid gap-3 empty:hidden">
      {isReached ? null : <Notice kind="danger">{outageWords.notice}</Notice>}
      <Toast />
    </div>
  );
}
