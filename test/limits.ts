/** The power of a kind of test. */
export interface Limits {
  readonly shows: string;
  readonly doesNotShow: string;
  /** Faults of Clew that it found, as far as the history names them; null if it names none. */
  readonly found: string | null;
  /** A fault that the test contains or was given, and that it saw; null if none is recorded. */
  readonly planted: string | null;
}

/** The tests that `npm test` runs, by kind. */
export const testLimits: Readonly<Record<string, Limits>> = {
  "tests of rules": {
    shows:
      "Each row of the specification holds in the cases that its author thought of, on SQLite and, where the database matters, on PostgreSQL.",
    doesNotShow: "Other cases. That a row is named by a test does not say that the test covers all of it.",
    found: null,
    planted: "The test command is given a test that fails, and one that rejects outside of any test.",
  },
  "properties and slow models": {
    shows: "Random graphs, texts and steps give what a simple, slow model gives.",
    doesNotShow: "A mistake that the model shares. Inputs that the generator never makes.",
    found: null,
    planted: null,
  },
  "the surface": {
    shows:
      "Every route refuses every credential that does not open it, and says nothing of another person's pages.",
    doesNotShow:
      "Routes outside of the table, which a test compares with what the server registers. Times of answers: see the campaign timing.",
    found: null,
    planted: null,
  },
  conformance: {
    shows: "A running Clew answers as the specification that it was built to demands, section by section.",
    doesNotShow: "What that specification leaves open.",
    found: null,
    planted: null,
  },
  "tests in a browser": {
    shows: "The dashboard does what its rules say in Chromium, with a mouse and with the keyboard.",
    doesNotShow: "Other browsers, touch screens and screen readers.",
    found: "The title of a view that came late took the focus from a person who was typing.",
    planted: null,
  },
  checks: {
    shows:
      "Format, lint, types, dead code, import direction, words and links follow the rules of this project.",
    doesNotShow: "That a name or sentence is good.",
    found: null,
    planted: "Each check of the project's own is given a violation, and must find it.",
  },
};

/** The campaigns, by their names in scripts/programs.ts. A test fails if one is missing here. */
export const campaignLimits: Readonly<Record<string, Limits>> = {
  faults: {
    shows:
      "However the provider fails, a sync claims nothing that is wrong, and a later one is complete. The faults of a seed that breaks it are reduced.",
    doesNotShow: "Faults that the stand-in cannot make, and what the real provider does.",
    found:
      "Deleted pages were kept if a broken search had not listed them; a database named as a page was never asked for; a page that could not be read was not left open; a text that could not be read again kept the old title of a page that had been below it.",
    planted: null,
  },
  "kill-sync": {
    shows: "A sync whose process is killed continues where it was, and reads nothing twice.",
    doesNotShow: "A machine that loses power: the system still writes what the process had given to it.",
    found: null,
    planted: null,
  },
  kill: {
    shows: "What a Clew acknowledged before it was killed is there after it.",
    doesNotShow: "A machine that loses power.",
    found: null,
    planted: null,
  },
  "folder-edits": {
    shows:
      "Whatever happens to a folder, the pages, the reports of changes and the ids are right in the end.",
    doesNotShow: "Network file systems, macOS and Windows. How soon an edit is seen.",
    found: null,
    planted: null,
  },
  "folder-live": {
    shows:
      "Whatever happens to a folder while a whole Clew over it is killed and started again, the graph that it shows, a copy from its changes feed and the ids are right in the end.",
    doesNotShow:
      "Network file systems, macOS and Windows. How soon an edit is seen. Several folders at once, PostgreSQL, and nodes for tags.",
    found:
      "Two files that swapped their names over a third lost an id if Clew looked in between; so did a moved file if the system named its new place before the old one.",
    planted: "Files that move get new ids, which a run saw.",
  },
  "hostile-folder": {
    shows:
      "No file of a folder stops, slows or fills Clew: each of thousands of random hostile ones, alone, at every stage of its reading; and hundreds beside a healthy folder whose edits are found meanwhile.",
    doesNotShow:
      "Kinds of files that the generator does not make. Descriptions of databases and people, settings of tools, git, and names of files beyond some odd ones. Processor time on a busy machine counts for more than it is.",
    found:
      "A value of front matter that contained itself failed the reading of its folder; nested emphasis, many signs of emphasis or addresses in a paragraph, and pairs of brackets took quadratic time.",
    planted: null,
  },
  apps: {
    shows:
      "Codes and tokens of connected apps open only what they should, in any order of steps, with instances that are killed.",
    doesNotShow:
      "Mistakes in the protocol itself: the conformance suite of `npm run interop` looks for those.",
    found: null,
    planted: null,
  },
  "move-person": {
    shows: "A move that is killed after any step loses nothing, and shows nothing to others.",
    doesNotShow: "Kills in the middle of a step, which is one transaction.",
    found: null,
    planted: null,
  },
  restore: {
    shows:
      "A restore that is killed at any step leaves the old data or the new, over every damage that is known.",
    doesNotShow: "Disks that return other bytes than were written.",
    found: null,
    planted: null,
  },
  starvation: {
    shows: "Large first syncs do not hold up small ones, and memory stays within its bound.",
    doesNotShow: "Real times: the clock is virtual and writes take 1 ms. It builds no graphs.",
    found: null,
    planted: null,
  },
  instances: {
    shows:
      "Four instances whose clocks differ never contradict what one of them acknowledged, while they and the database are killed, paused and cut off.",
    doesNotShow: "More than two disturbances at the same time. A database that loses data.",
    found: null,
    planted: null,
  },
  history: {
    shows:
      "What four instances answer about tokens, sessions and connections is linearizable, reads of a page never go back and honour each requested sync, and one instance at a time syncs, while instances, clocks and the database are disturbed.",
    doesNotShow:
      "One step over several keys, such as a disconnection with all tokens. Tokens whose creation was not answered, except that they can be revoked. Late calls of an instance in the 5 s after a pause that outlasts its lease.",
    found: null,
    planted:
      "A token that one instance remembers for five seconds; a refresh token that works after its session was ended; leases that end at once, so that two instances sync at a time. One run saw all three.",
  },
  simulation: {
    shows:
      "Two instances on one database stay correct under kills, wrong clocks, a faulty network and a faulty provider. Answers about tokens, sessions and connections are linearizable. One instance at a time syncs. A complete sync has every earlier edit. No answer is a 500, and no person reads the pages of another. In the end both show what a new import has. A seed repeats with the same events.",
    doesNotShow:
      "What Clew does in threads: the text index, searches of texts, contexts, maps, large texts and graphs. PostgreSQL. A stop in order. Machines that lose power. Other orders of events than an event loop has, and state that two instances would have apart because they are processes. Looks, and syncs by schedule. Pages that a sync adds may be unknown to the other instance until it has built the graph, and are not asked for before.",
    found:
      "An instance that held the empty graph of a connection denied a page once more after another one had read it in the first sync.",
    planted: null,
  },
  failover: {
    shows:
      "No acknowledged write is lost when a synchronous replica is promoted, and writes succeed again within 15 s.",
    doesNotShow: "Asynchronous replicas, which may lose writes by design. Networks that split in two.",
    found:
      "Writes to a standby answered 500; a standby could still show a token that was revoked; the first reading of the clock included the time to connect.",
    planted: null,
  },
  fuzz: {
    shows:
      "Inputs of nine grammars, mostly valid and with one thing wrong, get an answer of the contract: no 5xx, no block of the thread beyond 50 ms, no growth, nothing of a credential in the log.",
    doesNotShow:
      "What happens once, when something is first used, slow leaks, and file names that Linux does not take (docs/decisions/0102-fuzz.md).",
    found:
      "An Obsidian folder with thirty nested quotes was never read; rows of backticks and brackets took quadratic time; a context near a page that does not exist, and a search of texts below one, answered 404 without saying so in the OpenAPI document.",
    planted:
      "An exception, a refusal in plain text, a loop of 60 ms, a logged credential and a growing list: each test of the campaign plants one and sees it.",
  },
  mutants: {
    shows:
      "Which places of the code the tests nearest to them notice, as a score with its bound (docs/mutants.md).",
    doesNotShow: "That a place is right. Tests elsewhere, and kinds of changes that it does not make.",
    found:
      "Tests were missing for keys, key files, scopes, redirect URIs, uses of tokens and paths between hubs.",
    planted: "A function with a test that pays nothing is examined, and its survivors are known.",
  },
  dialects: {
    shows: "The links that Clew reads in a folder are those that the folder's own tool makes of it.",
    doesNotShow:
      "Other folders than those that it was given. What is right is computed by a short program that follows the tool's documentation.",
    found:
      "In Hugo sites, tables of TOML in shortcodes were links, and links were missing: those by a path from the root, and all whose definition stands below one with a shortcode in its address. In any folder, a table of HTML that was indented by four spaces was empty.",
    planted: "A folder without the settings of its tool has no links, which fails.",
  },
  equal: {
    shows: "SQLite and PostgreSQL give the same answers about random workspaces.",
    doesNotShow: "Mistakes that both make. Collations that a server was set up with.",
    found: null,
    planted: null,
  },
  "held-writes": {
    shows: "A request that is completed after its session ended is not carried out.",
    doesNotShow: "Requests that were complete before the end.",
    found: null,
    planted: null,
  },
  timing: {
    shows:
      "Times of answers do not tell another person's page from none, down to the effect that it is given.",
    doesNotShow: "Smaller effects, and attackers who measure more often.",
    found: null,
    planted:
      "Each run adds that effect to one side and must see it; a comparison of equals must show nothing.",
  },
  outages: {
    shows:
      "On a disk without a free byte, on a slow one, with a provider that is silent or whose certificate has expired, reads go on, nothing acknowledged is lost, no sync calls itself complete, and all works again afterwards.",
    doesNotShow: "Disks that return wrong bytes. PostgreSQL on such disks.",
    found: null,
    planted: null,
  },
  "slow-clients": {
    shows: "Clients that do not read, or only connect, keep no other address from being served.",
    doesNotShow: "Attacks from many addresses: a proxy in front has to stop them.",
    found: null,
    planted: null,
  },
  soak: {
    shows:
      "Under a steady load, memory, files and delays do not grow faster than a bound, and nothing is answered wrongly; above the ceiling, refusals are clean.",
    doesNotShow:
      "Growth below the bound, growth that takes longer than the run, and load of another mix. The load generator shares the machine with Clew. An hour was run at 80 and at 200 % of the ceiling, on SQLite and with four instances. In each, memory grew by 25 to 41 MB for each instance, more slowly towards the end: V8 keeps pages of its heaps once it has needed them, while what is in them stays as large. That it stops after many hours was not seen. No share of a run is in `npm test` but the estimate of slopes.",
    found: null,
    planted: "With `LEAK=1` each request leaves a kilobyte, which must be seen as growth.",
  },
  clients: {
    shows:
      "Types that a common generator makes of docs/openapi.json compile, refuse mistakes, and fit a running Clew.",
    doesNotShow: "Other generators and languages.",
    found: null,
    planted: "The program has mistakes that the types must refuse.",
  },
  install: {
    shows:
      "`npm start` and `npm test` work from nothing, with the versions of npm that it names and without a compiler.",
    doesNotShow: "Other systems and processors than the machine's.",
    found: null,
    planted: null,
  },
  packages: {
    shows: "The npm packages are the same bytes when built twice, and install and run without a compiler.",
    doesNotShow: "Other systems and processors than the machine's.",
    found: null,
    planted: null,
  },
  debian: {
    shows:
      "The Debian package goes through its life in a fresh Debian: installation, tour, upgrade, removal, purge.",
    doesNotShow: "Other releases than the one that is named, and machines that were changed before.",
    found: null,
    planted: null,
  },
  image: {
    shows: "The image is the same bytes when built twice, and runs as an unknown user with a read-only root.",
    doesNotShow: "Container engines: it is run with bubblewrap.",
    found: null,
    planted: null,
  },
  planted: {
    shows:
      "The tests and campaigns that it names fail with a fault that they are there for, and pass without it.",
    doesNotShow: "That they see other faults. The faults were chosen so that a short run can see them.",
    found:
      "The campaigns equal and failover no longer started. failover did not see lost tokens, restore did not see lost commits, instances did not see a Clew that goes by the clock of its machine, and the full disk of outages did not stay full.",
    planted: "A change that breaks nothing must be called one that was not seen.",
  },
  accessibility: {
    shows: "axe finds nothing in any state of the dashboard, light and dark, narrow and wide.",
    doesNotShow: "What axe cannot see, such as whether a text makes sense when it is read aloud.",
    found: null,
    planted: null,
  },
  large: {
    shows: "The dashboard over 10 000 pages reaches each of its states in Chromium.",
    doesNotShow: "How it feels: the times that it prints have no bound.",
    found: null,
    planted: null,
  },
};
