/** The languages that a code block may have (https://developers.notion.com/reference/block#code). */
const languages = new Set(
  "abap|abc|agda|arduino|ascii art|assembly|bash|basic|bnf|c|c#|c++|clojure|coffeescript|coq|css|dart|dhall|diff|docker|ebnf|elixir|elm|erlang|f#|flow|fortran|gherkin|glsl|go|graphql|groovy|haskell|hcl|html|idris|java|java/c/c++/c#|javascript|json|julia|kotlin|latex|less|lisp|livescript|llvm ir|lua|makefile|markdown|markup|matlab|mathematica|mermaid|nix|notion formula|objective-c|ocaml|pascal|perl|php|plain text|powershell|prolog|protobuf|purescript|python|r|racket|reason|ruby|rust|sass|scala|scheme|scss|shell|smalltalk|solidity|sql|swift|toml|typescript|vb.net|verilog|vhdl|visual basic|webassembly|xml|yaml".split(
    "|",
  ),
);

const aliases: Readonly<Record<string, string>> = {
  console: "shell",
  cpp: "c++",
  cs: "c#",
  csharp: "c#",
  dockerfile: "docker",
  fsharp: "f#",
  golang: "go",
  hs: "haskell",
  js: "javascript",
  json5: "json",
  jsonc: "json",
  jsx: "javascript",
  kt: "kotlin",
  make: "makefile",
  md: "markdown",
  mdx: "markdown",
  objc: "objective-c",
  ps1: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "shell",
  tex: "latex",
  ts: "typescript",
  tsx: "typescript",
  wasm: "webassembly",
  yml: "yaml",
  zsh: "shell",
};

/** Notion's name for the language of a fence; `plain text` if it has none. */
export function codeLanguage(name: string): string {
  const key = name.toLowerCase();
  const language = aliases[key] ?? key;
  return languages.has(language) ? language : "plain text";
}
