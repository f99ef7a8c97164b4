import { flavourOf } from "../document/whole-lines.ts";
import { splitFrontMatter } from "./front-matter.ts";
import type { ScannedFile } from "./scan.ts";
import { titleIn } from "./title.ts";

/** A file's front matter and text. */
export interface ReadText {
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Null where neither names one. */
  readonly title: string | null;
  /** Why the front matter could not be read. */
  readonly fault: string | null;
}

const texts = new WeakMap<ScannedFile, ReadText>();

/** Takes a file apart, once: one that did not change is the same object at the next look at the folder. */
export function readText(file: ScannedFile): ReadText {
  const known = texts.get(file);
  if (known !== undefined) return known;
  const { data, body, fault } = splitFrontMatter(file.text);
  const text = { data, body, title: titleIn(data, body, flavourOf(file.name)), fault };
  texts.set(file, text);
  return text;
}
