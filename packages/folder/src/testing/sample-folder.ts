import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Paragraph, ProviderUnderTest, Sample } from "@clew/provider-contract";

const minuteMs = 60_000;

/** The sample of the contract as a folder of Markdown. Its time passes with each edit alone. */
export class SampleFolder implements Pick<ProviderUnderTest, "rewrite" | "remove" | "tag"> {
  /** The folder, in one of its own. */
  readonly directory: string;
  readonly #sample: Sample;
  /** Times of pages are whole minutes. */
  #now = Math.floor(Date.now() / minuteMs) * minuteMs;

  private constructor(directory: string, sample: Sample) {
    this.directory = directory;
    this.#sample = sample;
  }

  static async write(sample: Sample): Promise<SampleFolder> {
    const directory = path.join(await mkdtemp(path.join(tmpdir(), "clew-contract-")), "sample");
    const folder = new SampleFolder(directory, sample);
    for (const { title, text } of sample.pages)
      await folder.#write(folder.#pathOf(title), folder.#markdownOf(text));
    for (const { title, rows } of sample.databases) {
      await folder.#write(`${title}/_database.yml`, "properties: {}\n");
      for (const row of rows) await folder.#write(`${title}/${row}.md`, "");
    }
    return folder;
  }

  /** The time of the latest edit. */
  readonly clock = (): number => this.#now;

  async rewrite(title: string, text: readonly Paragraph[]): Promise<void> {
    this.#now += 2 * minuteMs;
    await this.#write(this.#pathOf(title), this.#markdownOf(text));
  }

  async tag(title: string, tag: string): Promise<void> {
    this.#now += 2 * minuteMs;
    const { text = [] } = this.#sample.pages.find((page) => page.title === title) ?? {};
    await this.#write(this.#pathOf(title), `---\ntags: [${tag}]\n---\n${this.#markdownOf(text)}`);
  }

  async remove(title: string): Promise<void> {
    this.#now += 2 * minuteMs;
    await rm(path.join(this.directory, this.#pathOf(title)));
  }

  async close(): Promise<void> {
    await rm(path.dirname(this.directory), { recursive: true });
  }

  async #write(name: string, text: string): Promise<void> {
    const file = path.join(this.directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    await utimes(file, this.#now / 1000, this.#now / 1000);
  }

  /** The file of a page: in a folder of its own if it contains pages. */
  #pathOf(title: string): string {
    const { pages } = this.#sample;
    const folder = (of: string | null): string => {
      const page = pages.find((one) => one.title === of);
      return page === undefined ? "" : `${folder(page.parent)}${page.title}/`;
    };
    if (pages.some(({ parent }) => parent === title)) return `${folder(title)}index.md`;
    return `${folder(pages.find((one) => one.title === title)?.parent ?? null)}${title}.md`;
  }

  #markdownOf(text: readonly Paragraph[]): string {
    return text
      .map((one) => (typeof one === "string" ? one : `[${one.linkTo}](/${this.#pathOf(one.linkTo)})`))
      .join("\n\n");
  }
}
