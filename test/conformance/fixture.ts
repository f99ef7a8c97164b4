import { markdownPage, twoPeople } from "../support/markdown-folder.ts";

/** The workspace of the conformance run. */
export const workspaceFiles: Readonly<Record<string, string>> = {
  "_workspace.yml": "name: Reading room\nicon: 📖\n",
  ...twoPeople,
  "ariadne.md": markdownPage("Ariadne", "She gave [a hero](theseus.md) a ball of thread."),
  "theseus.md": markdownPage("Theseus", "He unwound the reference in the [[Labyrinth]]."),
  "labyrinth/index.md": markdownPage("Labyrinth", "A house that nobody finds the way out of."),
  "labyrinth/minotaur.md": markdownPage("Minotaur", "It lived there until [a hero](../theseus.md) came."),
};

/** Another workspace, which replaces the first one in its folder. */
export const otherWorkspaceFiles: Readonly<Record<string, string>> = {
  "_workspace.yml": "name: Closed stacks\nicon: 🔒\n",
  ...twoPeople,
  "daedalus.md": markdownPage("Daedalus", "He built the labyrinth."),
};
