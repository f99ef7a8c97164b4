import { queryOptions, useQuery } from "@tanstack/react-query";
import { clewUrl, mcpUrl } from "../../session/urls.ts";
import { Copyable } from "../../ui/copy.tsx";
import { appWords } from "./words.ts";

/** The document by which programs find out that they can connect (APP-1). It is missing where the operator does not allow that. */
const metadataUrl = new URL(".well-known/oauth-protected-resource", clewUrl);

const canConnectQuery = queryOptions({
  queryKey: ["can-connect"],
  queryFn: async ({ signal }) => (await fetch(metadataUrl, { signal })).ok,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Whether programs may connect here; false until that is known. */
export const useCanConnect = (): boolean => useQuery(canConnectQuery).data ?? false;

/** The URL with which programs connect, and what it is for. */
export function ConnectWithUrl() {
  return (
    <div className="grid w-full max-w-2xl gap-3">
      <p>{appWords.urlWhat}</p>
      <Copyable text={mcpUrl} what={appWords.theUrl} />
    </div>
  );
}
