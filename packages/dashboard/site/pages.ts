/** A page of the documentation. */
interface DocsPage {
  /** Its file, below the root of the repository. */
  readonly file: string;
  /** Its name in lists. */
  readonly title: string;
}

interface DocsSection {
  readonly title: string;
  readonly pages: readonly DocsPage[];
}

const page = (file: string, title: string): DocsPage => ({ file, title });

/** The pages of the documentation in the order in which they are listed. A test finds pages that are missing here. */
export const docsSections: readonly DocsSection[] = [
  {
    title: "Begin",
    pages: [
      page("README.md", "What Clew is, and how to start it"),
      page("docs/install.md", "Install"),
      page("docs/notion.md", "Notion, step by step"),
      page("docs/folders.md", "Folders of Markdown"),
      page("docs/dialects.md", "Folders of notes and sites"),
      page("docs/folder-changes.md", "A folder while it changes"),
      page("docs/dashboard.md", "The dashboard in pictures"),
    ],
  },
  {
    title: "Use",
    pages: [
      page("docs/agents.md", "Agents"),
      page("docs/clients.md", "Command line and clients"),
      page("docs/recipes.md", "Recipes"),
      page("docs/ranking.md", "Why this page comes first"),
      page("docs/versioning.md", "What may change"),
    ],
  },
  {
    title: "Run",
    pages: [
      page("docs/operations.md", "Running Clew"),
      page("docs/sizing.md", "How much it needs"),
      page("docs/scaling.md", "Several instances"),
      page("docs/upgrade.md", "Upgrade, and the way back"),
      page("docs/symptoms.md", "Symptoms and cures"),
      page("docs/incident.md", "When something went wrong"),
      page("SECURITY.md", "Security"),
      page("docs/security.md", "Threats and standards"),
    ],
  },
  {
    title: "Look up",
    pages: [
      page("docs/specification.md", "Specification"),
      page("docs/conformance.md", "What is checked"),
      page("docs/glossary.md", "Glossary"),
      page("docs/markdown.md", "Clew’s Markdown"),
      page("CHANGELOG.md", "What changed"),
    ],
  },
  {
    title: "Figures",
    pages: [
      page("docs/benchmarks.md", "The graph"),
      page("docs/benchmarks-text.md", "The text index"),
      page("docs/benchmarks-retrieval.md", "Answers for agents"),
      page("docs/benchmarks-postgresql.md", "PostgreSQL"),
      page("docs/figures.md", "When they were measured"),
      page("docs/limits-of-our-tests.md", "What tests do not show"),
    ],
  },
  {
    title: "Change Clew",
    pages: [
      page("CONTRIBUTING.md", "Contributing"),
      page("ARCHITECTURE.md", "Architecture"),
      page("docs/how-to-add.md", "How to add something"),
      page("docs/mutants.md", "What the tests notice"),
      page("docs/decisions/README.md", "Decisions"),
    ],
  },
];

/** The folder whose pages are reached from the list that it contains, and are in no other. */
export const unlisted = "docs/decisions/";

/** The address of a page below `/docs/`; the first page is at `/docs/` itself. */
export function addressOf(file: string): string {
  if (file === "README.md") return "";
  // SECURITY.md has the address of this name.
  if (file === "docs/security.md") return "threats";
  const path = file.replace(/^docs\//, "").replace(/\.md$/, "");
  return path === path.toUpperCase() ? path.toLowerCase() : path.replace(/\/README$/, "");
}
