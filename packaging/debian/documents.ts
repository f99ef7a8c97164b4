import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, exitCodeTable } from "@clew/cli";
import { type Setting, settings } from "@clew/contract/settings";
import { buildProgram } from "../../packages/server/src/cli/program.ts";
import { productionPackages } from "../stage/dependencies.ts";
import { debianVersion, type Release } from "./control.ts";

const root = join(import.meta.dirname, "../..");

/** Describes the program in a page for `man` (man(7)): its commands, its settings, its files and its exit codes. */
export function manualPage({ version, time }: Release): string {
  const program = programForHelp();
  const help = program.createHelp();
  const groups = Map.groupBy(help.visibleCommands(program), (command) => command.helpGroup());
  return [
    macro(
      "TH",
      "CLEW",
      "1",
      new Date(time * 1000).toISOString().slice(0, 10),
      `clew ${version}`,
      "User Commands",
    ),
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

/** The program of Clew, whose commands can be looked at and not run. */
function programForHelp(): Command {
  const unused = () => {
    throw new Error("the program of the manual runs no command");
  };
  const { stdin, stdout } = process;
  const reading = { fetch, random: unused, clock: unused, stdin, stdout, warn: unused, openFolder: unused };
  const context = {
    env: {},
    fromEnvFile: new Set<string>(),
    random: unused,
    print: unused,
    writeLog: unused,
  };
  return buildProgram({ ...context, serve: unused, reading });
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

/** Lists the changes of a version, or the newest ones if none are named after it, in the form of deb-changelog(5). */
export function changelog({ version, time, maintainer }: Release): string {
  const [, ...sections] = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m);
  const section = sections.find((each) => each.split(/\s/)[0] === version) ?? sections[0] ?? "";
  const changes = section.split(/^- /m).slice(1);
  const entries = changes.map((change) => wrap(`* ${change.trim().replaceAll(/\s+/g, " ")}`));
  const date = new Date(time * 1000).toUTCString().replace("GMT", "+0000");
  return `clew (${debianVersion(version)}) unstable; urgency=medium\n\n${entries.join("\n")}\n\n -- ${maintainer}  ${date}\n`;
}

/** Breaks an entry of a changelog into indented lines of at most 80 characters, but for longer words. */
const wrap = (entry: string) =>
  entry
    .replaceAll(/(.{1,76})(?: |$)/g, "    $1\n")
    .replace("    *", "  *")
    .trimEnd();

/** Says what licences the parts of the package have. */
export function copyright(): string {
  const packages = [...productionPackages()].map(([path, { version }]) => {
    const manifest = readFileSync(join(root, path, "package.json"), "utf8");
    const { license = "see its files" } = JSON.parse(manifest) as { license?: string };
    return `  ${path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)} ${version}: ${license}`;
  });
  return [
    "Clew: no licence has been chosen. All rights are reserved.",
    "",
    "/usr/lib/clew/node is Node.js. Its licence, and those of the libraries in it,",
    "are in /usr/share/doc/clew/node-license.gz.",
    "",
    "The package has these packages of others, each with its licence in its folder",
    "below /usr/lib/clew/app. The text of Apache-2.0 is in",
    "/usr/share/common-licenses/Apache-2.0, too.",
    "",
    ...packages,
    "",
  ].join("\n");
}
