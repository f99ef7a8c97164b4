import type { Edge } from "@clew/client";
import { ScrollBox } from "../../../ui/scroll-box.tsx";
import { PageLink, titleOf } from "../page-name.tsx";
import { pathWords } from "../path/words.ts";
import { Section } from "../section.tsx";
import { keyOf, type Scene } from "./scene.ts";
import { pictureWords } from "./words.ts";

/** The pages of a picture, nearest first, and how each is linked with one nearer to the middle, and with others. */
export function PictureTable({
  scene,
  lit,
  onLight,
  onToggle,
}: {
  scene: Scene;
  lit: string | null;
  onLight: (id: string | null) => void;
  /** Unfolds a group, or folds it. */
  onToggle: (key: string) => void;
}) {
  const rows = [...scene.nodes.values()]
    .filter(({ depth }) => depth > 0)
    .toSorted(
      (a, b) =>
        a.depth - b.depth ||
        (b.group?.count ?? 0) - (a.group?.count ?? 0) ||
        b.node.importance - a.node.importance,
    );
  const linksOf = (id: string, depth: number) =>
    scene.edges.filter(
      ({ from, to }) =>
        (from === id || to === id) && (scene.nodes.get(from === id ? to : from)?.depth ?? depth) < depth,
    );
  return (
    <Section title={pictureWords.table}>
      {rows.length === 0 ? (
        <p className="text-quiet">{pictureWords.alone}</p>
      ) : (
        <ScrollBox label={pictureWords.rows} className="max-h-[36rem]">
          <table className="table">
            <caption className="sr-only">{pictureWords.rows}</caption>
            <thead>
              <tr>
                <th scope="col">{pictureWords.page}</th>
                <th scope="col">{pictureWords.link}</th>
                <th scope="col">{pictureWords.steps}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ node, depth, group, hubLinks }) => (
                <tr
                  key={node.id}
                  className={lit === node.id ? "bg-thread-soft" : ""}
                  onPointerEnter={() => onLight(node.id)}
                  onPointerLeave={() => onLight(null)}
                >
                  <th scope="row" className="min-w-36">
                    {group === undefined ? (
                      <PageLink node={node} />
                    ) : (
                      <button
                        type="button"
                        className="link min-h-6 text-left"
                        aria-expanded={group.isOpen}
                        onClick={() => onToggle(group.key)}
                      >
                        <bdi>{titleOf(node)}</bdi>
                      </button>
                    )}
                  </th>
                  <td className="text-sm text-quiet">
                    {group === undefined
                      ? null
                      : pictureWords.groupShown(group.count - group.hidden, group.count)}
                    {(group === undefined ? (hubLinks ?? linksOf(node.id, depth)) : []).map((edge) => (
                      <span key={keyOf(edge)} className="block">
                        {wordsOf(edge, node.id)}
                        {depth > 1 && hubLinks === undefined ? (
                          <>
                            {" "}
                            <bdi>{titleOf(otherEnd(scene, edge, node.id))}</bdi>
                          </>
                        ) : null}
                      </span>
                    ))}
                    <LinksAcross scene={scene} id={node.id} />
                  </td>
                  <td>{hubLinks === undefined ? depth : 1}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </Section>
  );
}

/** The links of a page with others of the picture that are not on its way to the middle. */
function LinksAcross({ scene, id }: { scene: Scene; id: string }) {
  const links = scene.across.filter(({ from, to }) => from === id || to === id);
  if (links.length === 0) return null;
  return (
    <details>
      <summary className="min-h-6 cursor-pointer">{pictureWords.across(links.length)}</summary>
      {links.map((edge) => (
        <span key={keyOf(edge)} className="block">
          {wordsOf(edge, id)} <bdi>{titleOf(otherEnd(scene, edge, id))}</bdi>
        </span>
      ))}
    </details>
  );
}

/** The direction of a link, seen from a page. */
const wordsOf = ({ from, type }: Edge, id: string): string =>
  from === id ? pathWords.forwards[type] : pathWords.backwards[type];

const otherEnd = ({ nodes }: Scene, { from, to }: Edge, id: string) =>
  nodes.get(from === id ? to : from)?.node ?? { title: null };
