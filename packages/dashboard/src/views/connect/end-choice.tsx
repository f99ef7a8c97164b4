import type { AppRequest, ServiceToken } from "@clew/client";
import { Group } from "../../ui/choices.tsx";
import { Notice } from "../../ui/notice.tsx";
import { dateOf } from "../../ui/time.tsx";
import { connectWords } from "../../words.ts";
import { endableTokens } from "./consent.ts";

/** The token that ends if the program is allowed: one of ten to make room, or the program's earlier one if the person likes. */
export function EndChoice({
  request,
  chosen,
  error,
  onChange,
}: {
  request: AppRequest;
  chosen: number | null;
  error: string | undefined;
  onChange: (tokenId: number | null) => void;
}) {
  const tokens = endableTokens(request);
  const earlierId = request.earlier_token?.id;
  const { limit_reached: isFull } = request;
  if (tokens.length === 0) return isFull ? <Notice kind="warn">{connectWords.fullOfCodes}</Notice> : null;
  return (
    <Group legend={isFull ? connectWords.full : connectWords.earlier} error={error}>
      <p className="text-quiet">{isFull ? connectWords.fullWhat : connectWords.earlierWhat}</p>
      <div className="card divide-y divide-line">
        {tokens.map((token) => (
          <label key={token.id} className="flex min-h-11 items-center gap-3 px-4 py-2">
            <input
              type={isFull ? "radio" : "checkbox"}
              name="end"
              className="size-5 shrink-0"
              checked={token.id === chosen}
              onChange={({ target }) => onChange(target.checked ? token.id : null)}
            />
            <span className="grid min-w-0 flex-1">
              {isFull ? <bdi className="font-medium">{token.name}</bdi> : connectWords.endEarlier}
              <span className="text-sm text-quiet">
                <About token={token} isEarlier={isFull && token.id === earlierId} />
              </span>
            </span>
          </label>
        ))}
      </div>
    </Group>
  );
}

/** No times that can be pressed: the whole line chooses. */
function About({ token, isEarlier }: { token: ServiceToken; isEarlier: boolean }) {
  const { client, created_at, last_used_at } = token;
  const lastUse =
    last_used_at === null
      ? connectWords.neverUsed
      : `${connectWords.lastUsed} ${dateOf(Date.parse(last_used_at))}`;
  return (
    <>
      {isEarlier ? `${connectWords.isEarlier}, ` : null}
      <bdi>{client?.host ?? connectWords.byHand}</bdi>
      {`, ${connectWords.since} ${dateOf(Date.parse(created_at))}, ${lastUse}`}
    </>
  );
}
