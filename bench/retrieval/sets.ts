import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { multihopSets } from "./multihop.ts";
import { type Passage, writePassages } from "./passages.ts";
import { type Question, readQuestions } from "./questions.ts";

/** Questions about a corpus. README.md says where each is from, and which may be used for tuning. */
export interface QuestionSet {
  readonly name: string;
  /** The corpus; sets of one corpus share its folder and what is synced from it. */
  readonly corpus: string;
  readonly isForTuning: boolean;
  /** The variable of the environment that names the folder with the data. */
  readonly variable: "MULTIHOP" | "PROTOCOL_DOCS" | "DOCUMENTATION" | "WEB_SERVER" | "LOGS";
  /** The number of pages that may have the needed ones; null if markers say what answers a question. */
  readonly firstPages: number | null;
}

const multihop = { variable: "MULTIHOP", firstPages: 5 } as const;
const protocolDocs = { corpus: "protocol-docs", variable: "PROTOCOL_DOCS", firstPages: null } as const;
const documentation = { corpus: "documentation", variable: "DOCUMENTATION", firstPages: null } as const;

const webServer = { corpus: "web-server", variable: "WEB_SERVER", firstPages: null } as const;
const logs = { corpus: "logs", variable: "LOGS", firstPages: null } as const;

const questionSets: readonly QuestionSet[] = [
  { name: "hotpotqa", isForTuning: true, corpus: "hotpotqa", ...multihop },
  { name: "protocol-docs/tuning", isForTuning: true, ...protocolDocs },
  { name: "documentation/tuning", isForTuning: true, ...documentation },
  { name: "web-server/tuning", isForTuning: true, ...webServer },
  { name: "2wiki", isForTuning: false, corpus: "2wiki", ...multihop, firstPages: 8 },
  { name: "musique", isForTuning: false, corpus: "musique", ...multihop },
  { name: "protocol-docs/proof", isForTuning: false, ...protocolDocs },
  { name: "documentation/proof", isForTuning: false, ...documentation },
  { name: "logs/proof", isForTuning: false, ...logs },
];

/** The sets that words name: a set, `tuning` or `proof`. Those whose folder is not named are left out. Throws if a word names none. */
export function setsNamed(words: readonly string[]): readonly QuestionSet[] {
  const all = ["tuning", "proof", ...questionSets.map(({ name }) => name)];
  const unknown = words.filter((word) => !all.includes(word));
  if (words.length === 0 || unknown.length > 0)
    throw new Error(`name sets: ${all.join(", ")}${unknown.length > 0 ? `; not ${unknown.join(", ")}` : ""}`);
  const wanted = questionSets.filter(
    ({ name, isForTuning }) => words.includes(name) || words.includes(isForTuning ? "tuning" : "proof"),
  );
  return wanted.filter(({ name, variable }) => {
    const isNamed = process.env[variable] !== undefined;
    if (!isNamed) console.log(`${name} is left out: ${variable} names no folder`);
    return isNamed;
  });
}

/** The questions of a set, and the folder of Markdown that they are about: a multi-hop corpus is written below `root`. */
export async function openSet(
  { name, corpus, variable }: QuestionSet,
  root: string,
): Promise<{ readonly questions: readonly Question[]; readonly folder: string }> {
  const data = process.env[variable];
  if (data === undefined) throw new Error(`${name}: ${variable} names no folder`);
  const readMultihop = multihopSets[corpus];
  if (readMultihop === undefined) return { questions: await readQuestions(`${name}.json`), folder: data };
  const { passages, questions } = await readMultihop(data);
  const folder = join(root, corpus, "pages");
  const links = await writeOnce(folder, passages);
  console.log(`${corpus}: ${passages.length} pages, ${links} links found by title`);
  return { questions, folder };
}

/** Writes passages as pages, unless an earlier run did. Returns the number of links. */
async function writeOnce(folder: string, passages: readonly Passage[]): Promise<string> {
  const done = `${folder}-links`;
  const known = await readFile(done, "utf8").catch(() => null);
  if (known !== null) return known;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const links = String(await writePassages(folder, passages));
  await writeFile(done, links);
  return links;
}
