/** The direction of imports (ARCHITECTURE.md): a folder may only import folders of the lines above it. */
const layers = [
  ["model"],
  ["present", "rows"],
  ["config", "http", "providers", "store"],
  ["secrets"],
  ["threads"],
  ["texts"],
  ["graphs", "connections"],
  ["queries"],
  ["sync", "auth"],
  ["activity", "operations"],
  ["api", "cli", "mcp", "metrics"],
  ["roles"],
];

const server = "^packages/server/src/";
const within = (names) => `${server}(${names.join("|")})/`;
const product = { pathNot: "/testing/|\\.test\\.ts$" };

const upwards = layers.flatMap((names, index) => {
  const above = layers.slice(index + 1).flat();
  if (above.length === 0) return [];
  return [
    {
      name: `${names.join("-")}-imports-nothing-above`,
      severity: "error",
      from: { path: within(names) },
      to: { path: within(above) },
    },
  ];
});

/** Folders that must not import other folders of their line either. */
const independent = [
  "present",
  "rows",
  "config",
  "http",
  "providers",
  "store",
  "auth",
  "sync",
  "activity",
].map((name) => {
  const line = layers.find((names) => names.includes(name)) ?? [];
  return {
    name: `${name}-imports-no-neighbor`,
    severity: "error",
    from: { path: within([name]) },
    to: { path: within(line.filter((other) => other !== name)) },
  };
});

/** A package that imports no other package of Clew but these; `files` narrows the rule to some of its files. */
const importsOnly = (name, others, files = {}) => ({
  name: `${name}-imports-${others.length === 0 ? "no-package" : `the-${others.join("-")}-alone`}`,
  severity: "error",
  from: { path: `^packages/${name}/`, ...files },
  to: { path: `^packages/(?!(${[name, ...others].join("|")})/)` },
});

module.exports = {
  forbidden: [
    ...upwards,
    ...independent,
    {
      name: "product-imports-no-testing",
      comment: "Fault injection, generators and other test support must not ship.",
      severity: "error",
      from: { path: "^packages/", ...product },
      to: { path: "^packages/.*/testing/" },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-unresolved",
      comment: "What Clew is measured against is installed for that alone.",
      severity: "error",
      from: { pathNot: "^bench/text/peers\\.ts$" },
      to: { couldNotResolve: true },
    },
    {
      name: "operations-know-no-transport",
      severity: "error",
      from: { path: within(["operations", "present"]), ...product },
      to: { path: within(["http", "api", "mcp"]) },
    },
    {
      name: "the-server-imports-no-client-of-its-own",
      comment: "Only its command line imports packages/cli, which knows the server by its API alone.",
      severity: "error",
      from: { path: server, ...product },
      to: { path: "^packages/client/" },
    },
    {
      name: "only-the-command-line-imports-packages-cli",
      severity: "error",
      from: { path: server, pathNot: `${server}(cli/|folder-process\\.ts$)|${product.pathNot}` },
      to: { path: "^packages/cli/" },
    },
    {
      name: "graph-texts-and-contexts-do-no-io",
      comment: "They are pure: no I/O, no clock, no randomness.",
      severity: "error",
      from: { path: "^packages/(graph|text|text-index|context)/src/", ...product },
      to: { path: "^(node:|fs|http|net|worker_threads)" },
    },
    importsOnly("contract", []),
    importsOnly("client", [], product),
    importsOnly("cli", ["client", "contract", "text"], product),
    importsOnly("text", []),
    importsOnly("threads", []),
    importsOnly("graph", ["contract", "text"], product),
    importsOnly("text-index", ["text"], product),
    importsOnly("context", ["graph", "text", "text-index"], product),
    importsOnly("provider", ["contract", "graph"], product),
    importsOnly("provider-contract", ["provider", "text"]),
    importsOnly("provider-text", ["contract", "graph", "provider", "text", "threads"], product),
    importsOnly("notion", ["contract", "graph", "provider", "provider-text", "text"], product),
    {
      name: "the-graph-loads-no-schema",
      comment:
        "Threads compute on graphs. Loading the schemas would take half of the time in which they start.",
      severity: "error",
      from: { path: "^packages/graph/src/", ...product },
      to: { path: "^packages/contract/src/(?!vocabulary)" },
    },
    {
      name: "the-graph-reads-no-markdown",
      comment: "Threads that build graphs load only what compares titles.",
      severity: "error",
      from: { path: "^packages/graph/src/", ...product },
      to: { path: "^packages/text/src/(?!basics/)" },
    },
    // It takes the place of a service whose code Clew does not have.
    importsOnly("stand-in", ["folder"]),
    importsOnly("folder", ["contract", "graph", "provider", "provider-text", "text", "threads"], product),
    importsOnly("dashboard", ["contract", "client", "text"], { pathNot: "^packages/dashboard/site/" }),
    {
      name: "the-site-is-built-from-markdown-alone",
      comment: "It runs while the dashboard is built: of the folder it needs the reader of files.",
      severity: "error",
      from: { path: "^packages/dashboard/site/" },
      to: { path: "^packages/(?!(dashboard|text)/|folder/src/markdown\\.ts$)" },
    },
    {
      name: "only-the-build-knows-the-site",
      severity: "error",
      from: { path: "^packages/", pathNot: "^packages/dashboard/(site/|build\\.ts$)|\\.test\\.ts$" },
      to: { path: "^packages/dashboard/site/" },
    },
    {
      name: "views-import-no-other-view",
      comment: "What several views need is in ui, api or routes.",
      severity: "error",
      from: { path: "^packages/dashboard/src/views/([^/]+)/" },
      to: { path: "^packages/dashboard/src/views/", pathNot: "^packages/dashboard/src/views/$1/" },
    },
    {
      name: "the-sign-in-page-loads-no-library",
      severity: "error",
      from: { path: "^packages/dashboard/src/(main\\.ts$|session/|sign-in/)" },
      to: { path: "^node_modules/|^packages/client/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "only-one-file-knows-the-providers",
      comment: "All else knows a provider by the port in packages/provider.",
      severity: "error",
      from: { path: server, pathNot: `${server}providers/|${product.pathNot}` },
      to: { path: "^packages/(notion|folder)/" },
    },
    {
      name: "only-one-file-starts-the-stand-in",
      severity: "error",
      from: {
        path: server,
        pathNot: "^packages/server/src/providers/connect-provider\\.ts$|/testing/|\\.test\\.ts$",
      },
      to: { path: "^packages/stand-in/" },
    },
    {
      name: "only-the-store-knows-its-dialects",
      comment: "All else knows a database by store/port.ts and opens it by store/database.ts.",
      severity: "error",
      from: {
        path: server,
        pathNot: `${server}store/((sqlite|postgres)/|database\\.ts|choose-backend\\.ts)|/testing/|\\.test\\.ts$`,
      },
      to: { path: `${server}store/(sqlite|postgres)/|^node_modules/(better-sqlite3|pg)/` },
    },
    {
      name: "dialects-import-no-other-dialect",
      severity: "error",
      from: { path: `${server}store/(sqlite|postgres)/`, ...product },
      to: { path: `${server}store/(sqlite|postgres)/`, pathNot: `${server}store/$1/` },
    },
    {
      name: "only-start-up-imports-start-up",
      comment:
        "main.ts and folder-process.ts import server.ts, server.ts and the role that serves import app.ts, and nothing else but tests and tools does.",
      severity: "error",
      from: {
        path: "^packages/",
        pathNot: `${server}(main|folder-process|server|roles/serve-role)\\.ts$|/testing/|\\.test\\.ts$`,
      },
      to: { path: `${server}(app|server|main)\\.ts$` },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: "^packages/dashboard/dist/",
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
