import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { reachability } from "../api/reachability.ts";
import { Notice } from "../ui/notice.tsx";
import { Toast } from "../ui/toast.tsx";
import { failureWords, outageWords } from "../words.ts";

/** The notices above every view: Clew cannot be reached, or something has just happened. */
export function Notices() {
  const isReached = useSyncExternalStore(reachability.subscribe, reachability.isReached);
  const client = useQueryClient();
  const retry = () => {
    reachability.retry();
    void client.invalidateQueries();
  };
  return (
    <div className="mb-6 grid gap-3 empty:hidden">
      {isReached ? null : (
        <Notice kind="danger" action={{ label: failureWords.tryAgain, run: retry }}>
          {outageWords.notice}
        </Notice>
      )}
      <Toast />
    </div>
  );
}
