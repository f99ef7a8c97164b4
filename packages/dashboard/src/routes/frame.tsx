import { useQuery } from "@tanstack/react-query";
import { Outlet, useMatchRoute } from "@tanstack/react-router";
import { useApi } from "../api/app-context.ts";
import { meQuery } from "../api/queries.ts";
import markUrl from "../clew.svg";
import { paths } from "../paths.ts";
import { useSignOut } from "../views/account/sign-out.ts";
import { brand, connectWords, shellWords } from "../words.ts";
import { Notices } from "./notices.tsx";
import { Shell } from "./shell.tsx";

/** The frame of the view at the present address. */
export function Frame() {
  const isDeciding = useMatchRoute()({ to: paths.connect }) !== false;
  return isDeciding ? <QuietFrame /> : <Shell />;
}

/** The frame of a decision: it says who decides, and has nothing that leads away by accident. */
function QuietFrame() {
  const { data: me } = useQuery(meQuery(useApi()));
  const signOut = useSignOut();
  const name = me?.name ?? me?.email ?? shellWords.account;
  return (
    <div className="mx-auto min-h-dvh max-w-2xl px-4 pt-4 pb-16 sm:px-6">
      <header className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-b border-line pb-3">
        <p className="flex items-center gap-2 font-serif text-xl font-semibold">
          <img src={markUrl} alt="" width="28" height="28" />
          {brand}
        </p>
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          <span className="text-quiet">
            {connectWords.signedInAs} <bdi className="font-medium text-ink">{name}</bdi>
          </span>
          <button type="button" className="link min-h-6" onClick={signOut}>
            {shellWords.signOut}
          </button>
        </p>
      </header>
      <main id="content" tabIndex={-1} className="outline-none">
        <Notices />
        <Outlet />
      </main>
    </div>
  );
}
