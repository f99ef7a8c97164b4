import { useApp } from "../../api/app-context.ts";
import { explain } from "../../api/explain.ts";
import { showToast } from "../../ui/toast.tsx";
import { shellWords } from "../../words.ts";

/** Ends the session at Clew, and then in this browser: without its tokens it could no longer be ended. */
export function useSignOut(): () => void {
  const { api, keeper } = useApp();
  return async () => {
    const session = keeper.read();
    if (session === null) return;
    try {
      await api.signOut({ refresh: session.refresh });
      keeper.end("signed_out");
    } catch (error) {
      if (keeper.read() !== null) showToast(`${shellWords.stillSignedIn} ${explain(error)}`);
    }
  };
}
