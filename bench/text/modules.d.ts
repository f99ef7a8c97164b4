// Types of the packages that only this benchmark installs, as far as it uses them: types are checked without the packages.

declare module "minisearch" {
  interface Options {
    readonly fields: readonly string[];
    readonly searchOptions: {
      readonly prefix: boolean;
      readonly fuzzy: number | false;
      readonly combineWith: "AND" | "OR";
    };
  }
  export default class MiniSearch {
    constructor(options: Options);
    add(document: { readonly id: number; readonly title: string; readonly body?: string }): void;
    search(query: string, options?: { readonly prefix: boolean }): readonly unknown[];
  }
}
