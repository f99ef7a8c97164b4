import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./saved/", import.meta.url));

/** An input that broke an invariant once, as small as it could be made. */
export interface SavedInput {
  readonly grammar: string;
  /** The fault that it showed. */
  readonly fault: string;
  readonly input: unknown;
}

/** Writes an input to a file of its own, and returns the file's name. */
export async function saveInput(saved: SavedInput): Promise<string> {
  const digest = createHash("sha256").update(JSON.stringify(saved.input)).digest("hex").slice(0, 8);
  const name = `${saved.grammar}-${digest}.json`;
  await mkdir(folder, { recursive: true });
  await writeFile(folder + name, `${JSON.stringify(saved, null, 2)}\n`);
  return name;
}

/** Reads all saved inputs. */
export async function readSaved(): Promise<readonly SavedInput[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  return Promise.all(
    names.map(async (name): Promise<SavedInput> => JSON.parse(await readFile(folder + name, "utf8"))),
  );
}
