/**
 * Surviving mutants that a person has read, by file and name, with what the change means. Those listed here change nothing
 * that Clew promises; a mutant that shows a hole gets a test instead. The figures of docs/mutants.md are given with and
 * without them.
 */
export const readSurvivors: Readonly<Record<string, Readonly<Record<string, string>>>> = {};
