/** The direction of imports (ARCHITECTURE.md): a folder may only import folders of the lines above it. */
const layers = [
  ["model"],
  ["present"],
  ["config", "http", "provider", "store"],
  ["secrets"],
  ["graph-cache", "connections"],
  ["sync", "auth"],
  ["operations"],
  ["api", "cli", "mcp", "metrics"],
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
      from: { path: within(names), ...product },
      to: { path: within(above) },
    },
  ];
});

/** Folders that must not import other folders of their line either. */
const independent = ["config", "http", "provider", "store", "auth", "sync"].map((name) => {
  const line = layers.find((names) => names.includes(name)) ?? [];
  return {
    name: `${name}-imports-no-neighbor`,
    severity: "error",
    from: { path: within([name]), ...product },
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
      from: { pathNot: "^bench/(graph/peers/|text/peers\\.ts$)" },
      to: { couldNotResolve: true },
    },
    {
      name: "operations-know-no-transport",
      severity: "error",
      from: { path: within(["operations", "present"]), ...product },
      to: { path: within(["http", "api", "mcp"]) },
    },
    {
      name: "only-the-command-line-imports-the-client",
      severity: "error",
      from: { path: server, pathNot: `${server}cli/reading/|${product.pathNot}` },
      to: { path: "^packages/client/" },
    },
    {
      name: "graph-and-text-index-do-no-io",
      comment: "They are pure: no I/O, no clock, no randomness.",
      severity: "error",
      from: { path: "^packages/(graph|text-index)/src/", ...product },
      to: { path: "^(node:|fs|http|net|worker_threads)" },
    },
    importsOnly("contract", []),
    importsOnly("client", [], product),
    importsOnly("graph", ["contract"], product),
    importsOnly("text-index", ["graph"], product),
    {
      name: "the-graph-loads-no-schema",
      comment:
        "Threads compute on graphs. Loading the schemas would take half of the time in which they start.",
      severity: "error",
      from: { path: "^packages/graph/src/", ...product },
      to: { path: "^packages/contract/src/(?!vocabulary)" },
    },
    // It takes the place of a service whose code Clew does not have.
    importsOnly("stand-in", []),
    importsOnly("dashboard", ["contract", "client"]),
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
      name: "only-one-file-starts-the-stand-in",
      severity: "error",
      from: {
        path: server,
        pathNot: "^packages/server/src/provider/connect-provider\\.ts$|/testing/|\\.test\\.ts$",
      },
      to: { path: "^packages/stand-in/" },
    },
    {
      name: "only-the-store-knows-its-dialects",
      comment: "All else knows a database by store/port.ts and opens it by store/database.ts.",
      severity: "error",
      from: {
        path: server,
        pathNot: `${server}store/((sqlite|postgres)/|database\\.ts|graph-rows\\.ts)|/testing/|\\.test\\.ts$`,
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
        "main.ts imports server.ts, server.ts imports app.ts, and nothing else but tests and tools does.",
      severity: "error",
      from: { path: "^packages/", pathNot: `${server}(main|server)\\.ts$|/testing/|\\.test\\.ts$` },
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
