import type { TokenActivity } from "@clew/client";
import { isRefused } from "../../api/merged-activity.ts";
import { useTokenActivity } from "../../api/token-activity.ts";
import { CheckIcon, WarnIcon } from "../../ui/icons.tsx";
import { firstCallWords } from "./words.ts";

/** Waits for the first call of a token, and says that the program is connected, and how many pages it has read. */
export function FirstCall({ tokenId }: { tokenId: number }) {
  const { data } = useTokenActivity(tokenId);
  if (data === undefined || data.days === 0) return null;
  return (
    <p role="status" className="card flex min-h-14 items-center gap-3 px-4 py-3">
      <State activity={data} />
    </p>
  );
}

function State({ activity: { calls, refused, pages, latest } }: { activity: TokenActivity }) {
  if (calls === 0)
    return (
      <>
        <span className="pulse" aria-hidden="true" />
        <span className="text-quiet">{firstCallWords.waiting}</span>
      </>
    );
  if (calls === refused)
    return (
      <>
        <span className="text-warn">
          <WarnIcon />
        </span>
        {firstCallWords.refused(latest.find(isRefused)?.status ?? 403)}
      </>
    );
  return (
    <>
      <span className="text-good">
        <CheckIcon />
      </span>
      <span>
        <strong>{firstCallWords.connected}</strong> {firstCallWords.read(pages)}
      </span>
    </>
  );
}
