/** The direction of imports (ARCHITECTURE.md): what stands further left knows nothing of what stands right of it. */
const layers = [
  ["model"],
  ["provider", "store", "graph", "http", "limits", "config", "background", "files"],
  ["secrets", "cursor"],
  ["graph-cache", "connections"],
  ["sync", "auth"],
  ["present"],
  ["operations"],
  ["api", "cli", "mcp", "metrics"],
];

const server = "^packages/server/src/";
const within = (names) => `${server}(${names.join("|")})/`;

const directions = layers.flatMap((names, index) => {
  const later = layers.slice(index + 1).flat();
  if (later.length === 0) return [];
  return [
    {
      name: `${names.join("-")}-points-right`,
      severity: "error",
      from: { path: within(names), pathNot: "/testing/|\\.test\\.ts$" },
      to: { path: within(later) },
    },
  ];
});

/** Neighbours of one layer that know nothing of each other either. */
const strangers = ["provider", "store", "graph", "http", "config", "background", "files"].map((name) => ({
  name: `${name}-stands-alone`,
  severity: "error",
  from: { path: within([name]), pathNot: "/testing/|\\.test\\.ts$" },
  to: { path: `${server}(?!model/|${name}/)[^/]+/` },
}));

module.exports = {
  forbidden: [
    ...directions,
    ...strangers,
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-unresolved",
      comment: "What Clew is measured against is installed for that alone.",
      severity: "error",
      from: { pathNot: "^bench/graph/peers/" },
      to: { couldNotResolve: true },
    },
    {
      name: "contract-imports-nothing-of-clew",
      severity: "error",
      from: { path: "^packages/contract/" },
      to: { path: "^packages/(server|stand-in|dashboard)/" },
    },
    {
      name: "stand-in-knows-no-clew",
      comment: "It stands for a service that Clew does not know the inside of.",
      severity: "error",
      from: { path: "^packages/stand-in/" },
      to: { path: "^packages/(server|contract|dashboard)/" },
    },
    {
      name: "dashboard-knows-the-contract-alone",
      severity: "error",
      from: { path: "^packages/dashboard/src/" },
      to: { path: "^packages/(server|stand-in)/" },
    },
    {
      name: "only-one-file-starts-the-stand-in",
      severity: "error",
      from: { path: server, pathNot: "^packages/server/src/connect-provider\\.ts$|/testing/|\\.test\\.ts$" },
      to: { path: "^packages/stand-in/" },
    },
    {
      name: "the-app-is-the-root",
      severity: "error",
      from: { path: `${server}[^/]+/`, pathNot: "/testing/|\\.test\\.ts$" },
      to: { path: `${server}(app|main)\\.ts$` },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
