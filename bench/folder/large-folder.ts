import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { integer, pick, type Random } from "@clew/stand-in/testing/random";

const perFolder = 100;
const words = "graph note page link folder text river stone light house green small later early north".split(
  " ",
);

/** Writes a folder of Markdown files with 4 kB and eight links each. Returns what gives the path of a file by its number. */
export async function writeLargeFolder(
  directory: string,
  files: number,
  random: Random,
): Promise<(index: number) => string> {
  const fileAt = (index: number) =>
    path.join(
      directory,
      `area ${Math.floor(index / perFolder) % 20}/topic ${Math.floor(index / perFolder)}/note ${index}.md`,
    );
  const textOf = (index: number) => {
    const neighbour = Math.min(files - 1, index - (index % perFolder) + integer(random, 0, perFolder - 1));
    const link = () => `[[note ${integer(random, 0, files - 1)}]] and [next](<note ${neighbour}.md>)`;
    let text = `# Note ${index}\n\n${[link(), link(), link(), link()].join(" ")}\n\n`;
    while (text.length < 4096) text += `${pick(random, words)} `;
    return text.slice(0, 4096);
  };
  for (let index = 0; index < files; index += 1) {
    if (index % perFolder === 0) await mkdir(path.dirname(fileAt(index)), { recursive: true });
    await writeFile(fileAt(index), textOf(index));
  }
  return fileAt;
}
