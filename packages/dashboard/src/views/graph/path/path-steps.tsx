import type { Edge, Node, Paths } from "@clew/client";
import { isTitleOf } from "../marked-pieces.ts";
import { MarkedText } from "../marked-text.tsx";
import { PageLink } from "../page-name.tsx";
import { pathWords } from "./words.ts";

/** A path as a thread: each page, and between two of them what connects them, with the sentence that does. */
export function PathSteps({ path: { nodes, edges } }: { path: Paths["paths"][number] }) {
  return (
    <ol className="grid">
      {nodes.map((node, index) => {
        const edge = edges[index];
        const isForwards = edge?.from === node.id;
        return (
          <li key={node.id} className="grid grid-cols-[1.5rem_1fr] gap-x-2">
            <span aria-hidden="true" className="grid grid-rows-[0.4rem_auto_1fr] justify-items-center">
              <span className={`w-0.5 ${index === 0 ? "" : "bg-thread"}`} />
              <span className="size-3 rounded-full border-2 border-thread bg-paper" />
              {edge === undefined ? null : <span className="w-0.5 bg-thread" />}
            </span>
            <div className="grid gap-1 pb-4">
              <span className="text-lg font-medium">
                <PageLink node={node} />
              </span>
              {edge === undefined ? null : (
                <>
                  <span className="text-sm font-medium text-thread">
                    {isForwards ? pathWords.forwards[edge.type] : pathWords.backwards[edge.type]}
                    {edge.name === null ? null : (
                      <>
                        {" "}
                        <bdi>{pathWords.named(edge.name)}</bdi>
                      </>
                    )}
                  </span>
                  <Quote edge={edge} ends={[node, nodes[index + 1]]} />
                </>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The sentence around a link. One that says no more than the title of a page is left out. */
function Quote({ edge: { excerpts = [] }, ends }: { edge: Edge; ends: readonly (Node | undefined)[] }) {
  const sentence = excerpts.find(
    ({ text }) => !ends.some((end) => end !== undefined && isTitleOf(end, text)),
  );
  if (sentence === undefined) return null;
  return (
    <q className="text-[0.9375rem] text-quiet">
      <MarkedText text={sentence.text} marks={sentence.marks} />
    </q>
  );
}
