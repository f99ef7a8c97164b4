import type { FailedPage } from "@clew/client";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/app-context.ts";
import { reportWords } from "./words.ts";

/** The pages whose text could not be read, with the reasons and links to them at the provider. */
export function FailedPages({ failed, total }: { failed: readonly FailedPage[]; total: number }) {
  const api = useApi();
  const ids = failed.map(({ node_id }) => node_id).join();
  // Without an answer the titles are enough.
  const { data: urls } = useQuery({
    queryKey: ["nodes", ids],
    queryFn: async ({ signal }) =>
      new Map((await api.getPages({ ids }, { signal })).items.map(({ id, url }) => [id, url])),
  });
  const more = total - failed.length;
  return (
    <div className="grid gap-2">
      <p>{reportWords.failedPages(total)}</p>
      <ul className="grid list-disc gap-1 pl-5">
        {failed.map(({ node_id, title, reason }) => (
          <li key={node_id}>
            <PageTitle title={title || reportWords.untitled} url={urls?.get(node_id) ?? null} />
            <span className="block text-sm text-quiet">{reason}</span>
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="text-quiet">{reportWords.failedMore(more)}</p> : null}
    </div>
  );
}

function PageTitle({ title, url }: { title: string; url: string | null }) {
  return url === null ? (
    title
  ) : (
    <a className="link" href={url}>
      {title}
    </a>
  );
}
