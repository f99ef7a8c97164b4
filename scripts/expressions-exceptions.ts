/** Expressions and files that the check of regular expressions lets pass, with the reason. Prefer to mend an expression. */
interface Exceptions {
  /** Files that construct expressions later than when they are loaded. */
  readonly constructions: Readonly<Record<string, string>>;
  /** Files that read nothing but this repository, while it is built. They are not checked. */
  readonly builds: readonly string[];
  /** Expressions that take polynomial time, and the bound of the texts that meet them. */
  readonly polynomial: readonly (readonly [expression: RegExp, reason: string])[];
}

export const exceptions: Exceptions = {
  constructions: {
    "packages/server/src/mcp/input.ts": "patterns of the contract's schemas, which are checked as such",
  },
  builds: ["packages/dashboard/site/", "packages/dashboard/vite.config.ts", "packages/dashboard/build.ts"],
  polynomial: [
    [/[\p{L}\p{N}\p{M}][^*＊]*[\p{L}\p{N}\p{M}][*＊]$/u, "a query has at most 500 characters"],
    [
      /\s*\{(?:\s*[\w-]+="[^"{}]*")+\s*\}$/,
      "it meets the last 200 characters of a block (maxAttributesUnits)",
    ],
    [
      /^# .*\n((?:(?!~{3}).*\n)*)(~{3,})\n([\s\S]*?)\n\2$/gm,
      "a context is written by Clew, which ends each fence, of at most 100 000 characters",
    ],
    [
      /^# .*\n((?:(?!~{3}).*\n)*)(~{3,})\n([\s\S]*?)\n\2(?:\n|$)((?:\(.*\n?)*)/gm,
      "a context is written by Clew, which ends each fence",
    ],
    [/\B(?=(?:\d{3})+$)/g, "the digits of a number"],
    [
      /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
      "it meets attributes that another expression has matched, one after the other",
    ],
    [/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]|<\/?[A-Za-z][^>]*>/g, "plainInline cuts its text to 1000 characters"],
    [/!?\[([^\]]*)\]\([^)]*\)/g, "plainInline cuts its text to 1000 characters"],
    [/(?<![\w*])([*_])(.+?)\1(?![\w*])/g, "plainInline cuts its text to 1000 characters"],
    [
      /(?:^|\/)blog\/(?:(.*)\/)?(\d{4})[-/](\d\d)[-/](\d\d)[-/](.+?)(?:\/index)?$/is,
      "the path of a file has at most 4096 bytes",
    ],
    [/https?:\S+\.js/, "a message of the browser about a module of the dashboard"],
    [
      /^\P{L}*?v?(\d+(?:[.-]\d+)+)[^\p{L}\p{N}]*$/iu,
      "a word of a question, which has at most 500 characters",
    ],
    [
      /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])|[0-9a-f]{32}(?![0-9a-f])/g,
      "it reads at most 37 characters from each place",
    ],
    [
      /https?:\/\/[^\s()<>"']*?([0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})(?=[)<>"'\s#]|$)/y,
      "it is sticky, and replaceAddresses begins it once in each run without spaces",
    ],
    [
      /^(?:(?:https?:\/\/)?[\w.-]+(?::\d+)?\/[^?#\s]*?)?(?<id>[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12})(?:\/?(?:[?#]\S*)?)?$/i,
      "an argument that a person gives to a command of their own",
    ],
  ],
};
