import type { NodeDetail } from "@clew/client";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../api/app-context.ts";
import { Loaded } from "../../../ui/states.tsx";
import { PageLink, titleOf } from "../page-name.tsx";
import { Section } from "../section.tsx";
import { pageWords } from "./words.ts";

/** Pages that share links with this one, and which. */
export function Related({ page }: { page: NodeDetail }) {
  const api = useApi();
  const query = useQuery({
    queryKey: ["related", page.id],
    queryFn: ({ signal }) => api.getRelated({ id: page.id, limit: 6 }, { signal }),
  });
  return (
    <Section title={pageWords.related}>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-quiet">{pageWords.noRelated}</p>
          ) : (
            <ul className="grid gap-3">
              {items.map(({ node, reasons }) => (
                <li key={node.id} className="grid gap-0.5">
                  <PageLink node={node} />
                  {reasons.map(({ type, count, via }) => (
                    <p key={type} className="text-sm text-quiet">
                      {pageWords.relatedReasons[type](count)}: <bdi>{via.map(titleOf).join(", ")}</bdi>
                      {count > via.length ? ", …" : ""}
                    </p>
                  ))}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
