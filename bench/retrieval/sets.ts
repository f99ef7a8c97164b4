import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { multihopSets } from "./multihop.ts";
import { writePassages } from "./passages.ts";
import { type Question, readQuestions } from "./questions.ts";

/** Questions about a corpus. README.md says where each is from, and which may be used for tuning. */
export interface QuestionSet {
  readonly name: string;
  /** The corpus; sets of one corpus share its folder and what is synced from it. */
  readonly corpus: string;
  readonly isForTuning: boolean;
  /** The variable of the environment that names the folder with the data. */
  readonly variable: "MULTIHOP" | "PROTOCOL_DOCS" | "DOCUMENTATION";
  /** The number of pages that may have the needed ones; null if markers say what answers a question. */
  readonly firstPages: number | null;
}

const multihop = { variable: "MULTIHOP", firstPages: 5 } as const;
const protocolDocs = { corpus: "protocol-docs", variable: "PROTOCOL_DOCS", firstPages: null } as const;
const documentation = { corpus: "documentation", variable: "DOCUMENTATION", firstPages: null } as const;

export const questionSets: readonly QuestionSet[] = [
  { name: "hotpotqa", isForTuning: true, corpus: "hotpotqa", ...multihop },
  { name: "protocol-docs/tuning", isForTuning: true, ...protocolDocs },
  { name: "documentation/tuning", isForTuning: true, ...documentation },
  { name: "2wiki", isForTuning: false, corpus: "2wiki", ...multihop, firstPages: 8 },
  { name: "musique", isForTuning: false, corpus: "musique", ...multihop },
  { name: "protocol-docs/proof", isForTuning: false, ...protocolDocs },
  { name: "documentation/proof", isForTuning: false, ...documentation },
];

/** The sets that words name: a set, `tuning` or `proof`. Those whose folder is not named are left out. Throws if a word names none. */
export function setsNamed(words: readonly string[]): readonly QuestionSet[] {
  const wanted = words.flatMap((word) => {
    const sets = questionSets.filter(
      ({ name, isForTuning }) => word === name || word === (isForTuning ? "tuning" : "proof"),
    );
    if (sets.length === 0)
      throw new Error(
        `${word} is no set: there are tuning, proof, ${questionSets.map(({ name }) => name).join(", ")}`,
      );
    return sets;
  });
  const ready = wanted.filter(({ variable }) => process.env[variable] !== undefined);
  for (const { name, variable } of wanted)
    if (process.env[variable] === undefined) console.log(`${name} is left out: ${variable} names no folder`);
  return ready;
}

/** The questions of a set, and the folder of Markdown that they are about: a multi-hop corpus is written below `root`. */
export async function openSet(
  { name, corpus, variable }: QuestionSet,
  root: string,
): Promise<{ readonly questions: readonly Question[]; readonly folder: string }> {
  const data = process.env[variable];
  if (data === undefined)
    throw new Error(`${name} needs the variable ${variable}: README.md says what it names`);
  const readSet = multihopSets[corpus];
  if (readSet === undefined)
    return {
      questions: await readQuestions(`${name}.json`),
      folder: data,
    };
  const { passages, questions } = await readSet(data);
  const folder = join(root, corpus, "pages");
  const written = join(root, corpus, "links");
  const links = await readFile(written, "utf8").catch(async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const count = String(await writePassages(folder, passages));
    await writeFile(written, count);
    return count;
  });
  console.log(`${corpus}: ${passages.length} pages, ${links} links found by title`);
  return { questions, folder };
}
