/** A program that `npm run bench <name>`, `npm run campaign <name>` or `npm run package <name>` runs. */
export interface Program {
  /** Its file, below the root. */
  readonly file: string;
  readonly help: string;
  /** Environment variables that change what it does. */
  readonly variables?: readonly string[];
  /** Of a bench: values of these with which it ends within seconds, and its figures say nothing. */
  readonly trial?: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
  /** A folder with a package.json of its own: what Clew is measured beside. */
  readonly needs?: string;
}

type Programs = Readonly<Record<string, Program>>;

/** Keeps Node from saying that its stripping of types is experimental as a function. */
const stripsTypes = ["--disable-warning=ExperimentalWarning"];

const benches: Programs = {
  compare: {
    file: "bench/compare/run.ts",
    help: "<folder of another checkout>: processor time of this checkout beside another's",
    variables: ["RUNS", "PAGES"],
  },
  http: {
    file: "bench/http/run.ts",
    help: "requests per second, beside a bare route",
    variables: ["ONLY", "PAGES", "ROUNDS", "SECONDS", "WARM_UP"],
    trial: { ONLY: "node", ROUNDS: "1", SECONDS: "1", WARM_UP: "1" },
  },
  "http-activity": {
    file: "bench/http/activity.ts",
    help: "what it costs requests to keep what tokens read",
    variables: ["ONLY", "PAIRS"],
    trial: { PAIRS: "2" },
  },
  "http-postgres": {
    file: "bench/http/backends.ts",
    help: "requests per second on PostgreSQL, beside those on SQLite",
    variables: ["ONLY", "PAGES", "ROUNDS", "SECONDS", "WARM_UP", "CONNECTIONS"],
    trial: { ONLY: "node", ROUNDS: "1", SECONDS: "1", WARM_UP: "1" },
  },
  rows: {
    file: "bench/http/rows.ts",
    help: "for how long a list of rows blocks the main thread",
    variables: ["ROWS", "ROUNDS"],
    trial: { ROWS: "1000", ROUNDS: "1" },
  },
  beside: {
    file: "bench/http/beside.ts",
    help: "[folder of another checkout]: how long requests take beside syncs",
    variables: ["SYNCS", "PAGES", "ROUNDS", "SECONDS", "RATE", "FULL", "SEED"],
    trial: { SYNCS: "1", PAGES: "50", ROUNDS: "1", SECONDS: "1" },
  },
  mcp: {
    file: "bench/mcp/run.ts",
    help: "time, size and tokens of the answers of the tools for agents",
    variables: ["PAGES", "LONG_PAGES"],
    trial: { PAGES: "200", LONG_PAGES: "20" },
  },
  graph: {
    file: "bench/graph/run.ts",
    help: "the graph from 10 000 to a million pages",
    variables: ["SIZES", "SECONDS", "SEED"],
    trial: { SIZES: "1000", SECONDS: "1" },
  },
  "graph-postgres": {
    file: "bench/graph/backends.ts",
    help: "loading a graph from PostgreSQL, beside SQLite",
    variables: ["SIZE", "ROUNDS", "SEED"],
    trial: { SIZE: "1000", ROUNDS: "1" },
  },
  text: {
    file: "bench/text/run.ts",
    help: "the text index, beside other indexes",
    variables: ["SIZES", "PEERS"],
    needs: "bench/text",
  },
  "text-postgres": {
    file: "bench/text/backends.ts",
    help: "the text index on PostgreSQL, beside SQLite",
    variables: ["PAGES"],
    trial: { PAGES: "200" },
  },
  retrieval: {
    file: "bench/retrieval/run.ts",
    help: "mistakes | holes | compare, quick or parts <sets>: what agents get, and how often an answer is there",
    variables: [
      "CLEW_URL",
      "CLEW_TOKEN",
      "ANSWERS",
      "DATA",
      "MULTIHOP",
      "PROTOCOL_DOCS",
      "DOCUMENTATION",
      "WEB_SERVER",
      "LOGS",
    ],
  },
  sync: {
    file: "bench/sync/run.ts",
    help: "calls to the provider that each kind of sync makes",
    variables: ["PAGES", "SEED"],
    trial: { PAGES: "100" },
  },
  idle: {
    file: "bench/sync/idle.ts",
    help: "processor time of syncs that find nothing, and of looks without news",
    variables: ["PAGES", "RUNS", "SEED"],
    trial: { PAGES: "100", RUNS: "1" },
  },
  growth: {
    file: "bench/sync/growth.ts",
    help: "what a workspace takes on PostgreSQL, fresh and after syncs of edited pages, by table",
    variables: ["PAGES", "RUNS", "SHARE", "SECONDS", "SEED"],
    trial: { PAGES: "100", RUNS: "1" },
  },
  conflicts: {
    file: "bench/sync/conflicts.ts",
    help: "transactions that PostgreSQL refuses during first syncs of many people",
    variables: ["PEOPLE", "PAGES", "INSTANCES"],
    trial: { PEOPLE: "2", PAGES: "10", INSTANCES: "2" },
  },
  "sync-postgres": {
    file: "bench/sync/backends.ts",
    help: "time that first syncs have a transaction under way on PostgreSQL, beside SQLite",
    variables: ["PAGES", "ROUNDS", "SEED"],
    trial: { PAGES: "100", ROUNDS: "1" },
  },
  "sync-folder": {
    file: "bench/sync/folder.ts",
    help: "first syncs of a folder, read directly and by way of the demo workspace",
    variables: ["PAGES", "ROUNDS", "SEED"],
    trial: { PAGES: "100", ROUNDS: "1" },
  },
  "sync-memory": {
    file: "bench/sync/memory.ts",
    help: "memory of the first sync of a large workspace",
    variables: ["PAGES", "SEED", "STEP"],
    trial: { PAGES: "200", STEP: "100" },
  },
  sizing: {
    file: "bench/sync/sizing.ts",
    help: "memory, disk and time that a workspace takes, of a whole server",
    variables: ["PAGES", "DATABASES", "SEED"],
    trial: { PAGES: "100", DATABASES: "sqlite" },
  },
  indexing: {
    file: "bench/sync/indexing.ts",
    help: "what the text index adds to a first sync",
    variables: ["PAGES", "ROUNDS", "SEED"],
    trial: { PAGES: "100", ROUNDS: "1" },
  },
  texts: {
    file: "bench/sync/texts.ts",
    help: "time to parse page texts, and how long it blocks the event loop",
  },
  folder: {
    file: "bench/folder/run.ts",
    help: "a large folder: the time to read it, to see an edit, and the processor time while nothing happens",
    variables: ["FILES", "EDITS", "IDLE_SECONDS", "SEED"],
    trial: { FILES: "300", EDITS: "3", IDLE_SECONDS: "1" },
  },
  "folder-service": {
    file: "bench/folder/service.ts",
    help: "a large folder behind a running Clew: its first graph, when an edit is seen, and what it takes at rest",
    variables: ["FILES", "EDITS", "IDLE_SECONDS", "SEED"],
    trial: { FILES: "300", EDITS: "3", IDLE_SECONDS: "1" },
  },
  connections: {
    file: "bench/sync/connections.ts",
    help: "one instance with thousands of people, each with a small workspace",
    variables: ["CONNECTIONS", "PAGES"],
    trial: { CONNECTIONS: "20", PAGES: "3" },
  },
  cold: {
    file: "bench/graph/cold.ts",
    help: "graphs that are not in memory, as after a restart",
    variables: ["GRAPHS", "PAGES", "COPIES"],
    trial: { GRAPHS: "2", PAGES: "100" },
  },
  restart: {
    file: "bench/graph/restart.ts",
    help: "the first answers of a Clew that starts with a large workspace",
    variables: ["PAGES", "STARTS"],
    trial: { PAGES: "1000", STARTS: "1" },
  },
  map: {
    file: "bench/graph/map.ts",
    help: "<folders>: how full, near and steady maps are, and the time to make them",
    variables: ["SIZES", "SEED", "NAMES"],
    trial: { SIZES: "1000" },
  },
  scale: {
    file: "bench/scale/run.ts",
    help: "what an installation of any size needs, computed and simulated",
    variables: ["SEED"],
  },
};

const campaigns: Programs = {
  faults: {
    file: "test/faults/faults.campaign.ts",
    help: "syncs through a provider that fails in every known way",
    variables: ["SEEDS", "SEED", "KINDS"],
  },
  "kill-sync": {
    file: "test/kill-sync/kill-sync.campaign.ts",
    help: "a syncing worker killed at random moments",
    variables: ["ROUNDS", "SEED"],
  },
  kill: {
    file: "test/kill/kill.campaign.ts",
    help: "the whole service killed at random moments",
    variables: ["ROUNDS", "SEED"],
  },
  "folder-edits": {
    file: "test/folder-edits/folder-edits.campaign.ts",
    help: "a folder edited at random while what watches it is killed",
    variables: ["RUNS", "EDITS", "FILES", "SEED"],
  },
  fuzz: {
    file: "test/fuzz/fuzz.campaign.ts",
    help: "mostly valid inputs of every kind against a running Clew: no 5xx, no blocked thread, no growth",
    variables: ["RUNS", "SEED", "GRAMMAR"],
  },
  "folder-live": {
    file: "test/folder-live/folder-live.campaign.ts",
    help: "a folder edited at random while a whole Clew runs over it and is killed",
    variables: ["RUNS", "EDITS", "FILES", "SEED"],
  },
  "hostile-folder": {
    file: "test/hostile-folder/hostile-folder.campaign.ts",
    help: "files that are made to stop, slow or fill Clew: each alone, and beside a healthy folder; Linux",
    variables: ["SEED", "FILES", "PARTS"],
  },
  apps: {
    file: "test/apps/apps.campaign.ts",
    help: "codes and tokens of connected apps, whatever happens at the same time",
    variables: ["RUNS", "SEED"],
  },
  "move-person": {
    file: "test/postgres/move-person.campaign.ts",
    help: "moves of people to other databases, killed after each step",
  },
  restore: {
    file: "test/restore/restore.campaign.ts",
    help: "restores killed at every step, over damaged databases",
    variables: ["SEEDS", "SEED"],
  },
  starvation: {
    file: "test/starvation/starvation.campaign.ts",
    help: "fifty long first syncs beside 500 short ones, in virtual time; needs 2 GB in TMPDIR",
    variables: ["LARGE", "LARGE_PAGES", "SMALL", "SMALL_PAGES", "ARRIVAL_SECONDS", "INSTANCES"],
    nodeOptions: ["--expose-gc", "--max-old-space-size=512"],
  },
  instances: {
    file: "test/instances/instances.campaign.ts",
    help: "four instances on one PostgreSQL, killed, paused and cut off",
    variables: ["OPERATIONS", "SEED", "CLIENTS", "POOLER"],
  },
  history: {
    file: "test/history/history.campaign.ts",
    help: "whether what four instances answer is linearizable, while they, their clocks and the database are disturbed",
    variables: ["SEEDS", "SEED", "MINUTES", "CALLS", "INSTANCES"],
  },
  simulation: {
    file: "test/simulation/simulation.campaign.ts",
    help: "two instances, their clocks, network and provider in virtual time: faults and kills that a seed repeats",
    variables: ["SEEDS", "SEED", "MINUTES", "AGAIN", "TRACE", "STOP_AFTER"],
    nodeOptions: ["--max-semi-space-size=64"],
  },
  failover: {
    file: "test/failover/failover.campaign.ts",
    help: "a PostgreSQL primary killed under load and its replica promoted; needs Debian's postgresql",
    variables: ["ROUNDS"],
  },
  dialects: {
    file: "test/dialects/dialects.campaign.ts",
    help: "<folder> …: the links that Clew serves of folders, beside those that each folder's own tool makes of it",
  },
  equal: {
    file: "test/equal-answers/equal-answers.campaign.ts",
    help: "random workspaces served from SQLite and PostgreSQL, every answer compared",
    variables: ["SEEDS", "SEED"],
  },
  "held-writes": {
    file: "test/surface/held-writes.campaign.ts",
    help: "requests that end after their session did",
    variables: ["ROUNDS", "SEED"],
  },
  timing: {
    file: "test/surface/timing.campaign.ts",
    help: "whether the time of an answer tells another person's page from none",
    variables: ["PAIRS", "MICROSECONDS"],
  },
  outages: {
    file: "test/outages/outages.campaign.ts",
    help: "a full disk, a slow disk, an expired certificate, a provider that is silent; as root on Linux",
    variables: ["ONLY"],
  },
  "slow-clients": {
    file: "test/slow-clients/slow-clients.campaign.ts",
    help: "clients that do not read, hold requests back or only connect",
    variables: ["SECONDS", "OPEN_FILES", "ONLY"],
  },
  soak: {
    file: "test/soak/soak.campaign.ts",
    help: "an hour of load at a share of the ceiling: slopes of memory, files and times",
    variables: ["MINUTES", "LOAD", "INSTANCES", "SEED", "PAGES", "LEAK"],
  },
  clients: {
    file: "test/openapi/clients.campaign.ts",
    help: "types generated from docs/openapi.json: a program that uses them is checked and run; needs the registry",
  },
  install: {
    file: "test/install/install.campaign.ts",
    help: "npm start and npm test from nothing, with the versions of npm that people have; needs the registry",
    variables: ["NPM"],
  },
  debian: {
    file: "test/debian/debian.campaign.ts",
    help: "the Debian package in a fresh Debian that is booted; needs root, debootstrap, systemd-nspawn and lintian",
    variables: ["RELEASE"],
    nodeOptions: stripsTypes,
  },
  packages: {
    file: "test/install/packages.campaign.ts",
    help: "the npm packages: built, installed without a compiler, run through the tour; needs the registry",
    variables: ["NPM"],
    nodeOptions: stripsTypes,
  },
  image: {
    file: "test/image/image.campaign.ts",
    help: "the container image built twice, and run as an unknown user through the tour; needs the registries and bubblewrap",
    variables: ["ONLY"],
    nodeOptions: stripsTypes,
  },
  mutants: {
    file: "test/mutants/mutants.campaign.ts",
    help: "one place of the code changed at a time: which changes the tests notice; writes docs/mutants.md",
    variables: ["AREA", "SAMPLE", "SEED", "AGAIN", "REPORT"],
  },
  planted: {
    file: "test/planted/planted.campaign.ts",
    help: "tests and campaigns that are given a fault, one at a time: whether they see it",
    variables: ["ONLY"],
  },
  accessibility: {
    file: "test/accessibility/accessibility.campaign.ts",
    help: "axe on every state of the dashboard, light and dark, 360 and 1 440 pixels wide",
    variables: ["WALK"],
  },
  large: {
    file: "test/large/large.campaign.ts",
    help: "the dashboard over 10 000 pages: first sync, search, paths and map in a browser",
    variables: ["PAGES", "PICTURES"],
  },
};

const packagings: Programs = {
  npm: {
    file: "packaging/npm/build.ts",
    help: "build/clew-<version>.tgz, which npm installs on Linux, macOS and Windows",
    nodeOptions: stripsTypes,
  },
  debian: {
    file: "packaging/debian/build.ts",
    help: "build/clew_<version>_<architecture>.deb, for Debian and Ubuntu; needs dpkg-deb",
    variables: ["DEBFULLNAME", "DEBEMAIL", "SOURCE_DATE_EPOCH"],
    nodeOptions: stripsTypes,
  },
  client: {
    file: "packaging/client/build.ts",
    help: "build/clew-client-<version>.tgz, the client for programs",
  },
  image: {
    file: "packaging/image/build.ts",
    help: "build/image and build/clew-<version>-image-<architecture>.tar, the container image; needs apt and dpkg-deb",
    nodeOptions: stripsTypes,
  },
  "image-packages": {
    file: "packaging/image/renew-debian-packages.ts",
    help: "packaging/image/debian-packages.json, with the latest versions of Debian's packages for the image; needs apt",
  },
};

/** The programs of each command. */
export const programs: Readonly<Record<string, Programs>> = {
  bench: benches,
  campaign: campaigns,
  package: packagings,
};
