import { type Command, exitCodeTable } from "@clew/cli";
import { type Setting, settings } from "@clew/contract/settings";

/** Describes the program in a page for `man` (man(7)): its commands, its settings, its files and its exit codes. */
export function manualPage(program: Command, { version, date }: { version: string; date: string }): string {
  const help = program.createHelp();
  const groups = Map.groupBy(help.visibleCommands(program), (command) => command.helpGroup());
  return [
    macro("TH", "CLEW", "1", date, `clew ${version}`, "User Commands"),
    macro("SH", "NAME"),
    text("clew - serve and query a graph of workspace pages"),
    macro("SH", "SYNOPSIS"),
    "\\fBclew\\fR \\fIcommand\\fR [\\fIoption\\fR...]",
    macro("SH", "DESCRIPTION"),
    text(
      "Clew reads the pages and databases of a workspace, and answers questions about them and about their links: in a browser, over an API, to agents, and on the command line.",
    ),
    macro("PP"),
    text(
      "Run by root, a command works as the service does: with its settings, its secrets and its data, and as its user. It can write to /var/lib/clew alone, where relative paths begin, too. Run by anyone else, or with CLEW_URL set, it has the environment of its caller.",
    ),
    ...[...groups].flatMap(([heading, commands]) => [
      macro("SH", (heading || "COMMANDS").replace(/:$/, "").toUpperCase()),
      ...commands.flatMap((command) => describeCommand(command)),
    ]),
    macro("SH", "SETTINGS"),
    text("Each is a variable in /etc/clew/clew.env, or a file of its name in /etc/clew/credentials."),
    ...Object.entries(settings).flatMap(([name, setting]) => describeSetting(name, setting)),
    macro("SH", "FILES"),
    ...item("/etc/clew/clew.env", "settings"),
    ...item("/etc/clew/credentials/", "secrets: files that are named after their settings"),
    ...item("/var/lib/clew/", "the database and the key file"),
    macro("SH", "EXIT STATUS"),
    ...exitCodeTable.flatMap(({ code, meaning }) => item(String(code), plain(meaning))),
    macro("SH", "SEE ALSO"),
    text("systemctl(1), journalctl(1), systemd.exec(5)"),
    "",
  ].join("\n");

  /** A command with its options, or each of its own commands, after the words that lead to it. */
  function describeCommand(command: Command, before = ""): string[] {
    const inner = help.visibleCommands(command).filter((each) => each.name() !== "help");
    if (inner.length > 0)
      return inner.flatMap((each) => describeCommand(each, `${before}${command.name()} `));
    const options = help.visibleOptions(command).filter(({ long }) => long !== "--help");
    return [
      ...item(before + help.subcommandTerm(command), help.subcommandDescription(command)),
      ...(options.length === 0 ? [] : [macro("RS")]),
      ...options.flatMap((option) => item(help.optionTerm(option), help.optionDescription(option))),
      ...(options.length === 0 ? [] : [macro("RE")]),
    ];
  }
}

function describeSetting(name: string, setting: Setting): string[] {
  const fallback = setting.default ?? setting.otherwise;
  return item(name, `${plain(setting.help)}${fallback ? ` (default: ${fallback})` : ""}`);
}

/** Markdown of the settings and exit codes without its marks: links and code. */
const plain = (markdown: string) => markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1").replaceAll("`", "");

const item = (term: string, description: string) => [macro("TP"), `\\fB${text(term)}\\fR`, text(description)];

const macro = (name: string, ...words: readonly string[]) =>
  [`.${name}`, ...words.map((word) => `"${text(word)}"`)].join(" ");

/** A line of text in which roff finds neither escapes nor requests. */
const text = (line: string) =>
  line
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replace(/^([.'])/, "\\&$1");
