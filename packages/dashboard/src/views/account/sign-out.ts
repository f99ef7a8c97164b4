import { useApp } from "../../api/app-context.ts";
import { explain } from "../../api/explain.ts";
import { mayLeave } from "../../ui/leave-guard.ts";
import { showToast } from "../../ui/toast.tsx";
import { shellWords } from "../../words.ts";

/** Ends the session at Clew, and then in this browser: without its tokens it could no longer be ended. */
export function useSignOut(): () => void {
  const { api, keeper } = useApp();
  return async () => {
    const session = keeper.read();
    if (session === null || !(await mayLeave())) return;
    const forget = keeper.expectEnd("signed_out");
    try {
      await api.signOut({ refresh: session.refresh });
      keeper.end("signed_out");
    } catch (error) {
      if (keeper.read() !== null) showToast(`${shellWords.stillSignedIn} ${explain(error)}`);
    } finally {
      forget();
    }
  };
}
