import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "../support/clew-process.ts";
import { startRunning } from "../support/running-clew.ts";
import { signIn, waitForSync } from "../support/session.ts";
import { stageOf } from "../support/stage.ts";

const deploy = join(import.meta.dirname, "../../deploy");
const rulesPath = join(deploy, "prometheus/alerts.yml");
const rules = readFileSync(rulesPath, "utf8");
const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = ""]) => name);

/** The expressions of the rules: each is one line. */
const ruleExpressions = [...rules.matchAll(/^ +expr: (.+)$/gm)].map(([, expression = ""]) => expression);

/** The expressions of the dashboard's panels and variables. */
function dashboardExpressions(): string[] {
  const dashboard: {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
    readonly templating: { readonly list: readonly { readonly type: string; readonly query: string }[] };
  } = JSON.parse(readFileSync(join(deploy, "grafana/clew.json"), "utf8"));
  const variables = dashboard.templating.list.filter(({ type }) => type === "query");
  return [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...variables.map(({ query }) => query),
  ];
}

/** The metrics that an expression reads, each with the labels that it selects by. */
function readBy(expression: string): { readonly metric: string; readonly labels: readonly string[] }[] {
  const selectors = expression.matchAll(/\b((?:clew|process|nodejs)_\w+)(?:\{([^}]*)\})?/g);
  return [...selectors].map(([, metric = "", matchers = ""]) => ({
    metric,
    labels: [...matchers.matchAll(/(\w+)(?:=~?|!=|!~)"/g)].map(([, label = ""]) => label),
  }));
}

test("OPS-2: every metric and label that the alert rules and the dashboard read is in /metrics", async (t) => {
  const port = await freePort();
  const clew = await startRunning({ env: { METRICS_PORT: String(port) } });
  t.after(() => clew.stop());
  await waitForSync(clew.url, await signIn(clew.url));
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const families = new Map(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
  );
  assert.ok(families.size > 40);
  /** The family of a metric: a histogram has three suffixes. */
  const familyOf = (metric: string) => {
    const base = metric.replace(/_(?:bucket|count|sum)$/, "");
    return families.get(base) === "histogram" ? base : metric;
  };
  const labelsOf = (family: string) => {
    const samples = text.matchAll(new RegExp(`^${family}(?:_bucket|_count|_sum)?\\{([^}]*)\\}`, "gm"));
    return new Set(
      [...samples].flatMap(([, labels = ""]) => [...labels.matchAll(/(\w+)="/g)].map(([, l]) => l)),
    );
  };
  const expressions = [...ruleExpressions, ...dashboardExpressions()];
  const read = expressions.flatMap(readBy);
  assert.ok(read.length >= expressions.length - 2, "all but `up` is Clew's or Node's");
  for (const { metric, labels } of read) {
    const family = familyOf(metric);
    assert.ok(families.has(family), `${metric} is not in /metrics`);
    const known = labelsOf(family);
    // Prometheus adds the first. A metric without samples, of the other kind of database for example, shows no labels.
    const unknown = labels.filter((label) => label !== "job" && known.size > 0 && !known.has(label));
    // Only calls of tools have it.
    assert.deepEqual(
      unknown.filter((label) => label !== "tool"),
      [],
      `labels of ${metric}`,
    );
  }
  const shown = new Set(
    dashboardExpressions()
      .flatMap(readBy)
      .map(({ metric }) => familyOf(metric)),
  );
  const own = [...families.keys()].filter((name) => name.startsWith("clew_"));
  assert.deepEqual(
    own.filter((name) => !shown.has(name)),
    [],
    "the dashboard shows every metric of Clew",
  );
});

/** Series of Prometheus by their names, in the notation of promtool: the first value, the increase, and how often. */
type Series = Readonly<Record<string, string>>;

const target = 'job="clew",instance="a"';
const requests = (status: number, route = "/api/v1/search/") =>
  `clew_http_request_duration_seconds_count{${target},method="GET",route="${route}",status="${status}"}`;
const calls = (status: string) =>
  `clew_provider_request_duration_seconds_count{${target},status="${status}"}`;
const syncs = (outcome: string) => `clew_syncs_total{${target},kind="incremental",outcome="${outcome}"}`;
const own = (name: string, labels = "") => `${name}{${target}${labels}}`;
const poolWait = (le: string) => own("clew_db_pool_wait_seconds_bucket", `,le="${le}"`);
const build = (instance: string, version: string) =>
  `clew_build_info{job="clew",instance="${instance}",version="${version}",commit="c",schema="20"}`;

/** The samples of a healthy Clew, one a minute for three hours; some of it is bad luck that must wake nobody. */
const healthy: Series = {
  [own("up")]: "1+0x180",
  [own("clew_database_up")]: "1+0x180",
  [requests(200)]: "0+600x180",
  [requests(500)]: "0+1x180",
  [requests(503, "/readyz")]: "0+60x180",
  [build("a", "1")]: "1+0x180",
  [build("b", "1")]: "1+0x180",
  [calls("200")]: "0+300x180",
  [calls("429")]: "0+200x180",
  [calls("failed")]: "0+10x180",
  [syncs("complete")]: "0+4x180",
  [syncs("failed")]: "0+1x180",
  [syncs("withdrawn")]: "0+0x100 1+0x80",
  [own("clew_oldest_never_synced_age_seconds")]: "0+60x180",
  [own("clew_connections_overdue")]: "0+0x60 1+0x30 0+0x90",
  [own("clew_disk_free_bytes")]: "5e9+0x180",
  [own("clew_disk_needed_bytes")]: "67108864+0x180",
  [own("process_resident_memory_bytes")]: "8e8+0x180",
  [own("clew_memory_limit_bytes")]: "1e9+0x180",
  [own("nodejs_heap_size_used_bytes")]: "4e8+0x180",
  [own("clew_heap_limit_bytes")]: "5e8+0x180",
  [own("clew_db_pool", ',state="waiting"')]: "0+0x60 3+0x2 0+0x120",
  [own("clew_db_pool", ',state="used"')]: "20+0x180",
  [poolWait("0.005")]: "0+590x180",
  [poolWait("0.5")]: "0+600x180",
  [poolWait("1")]: "0+600x180",
  [poolWait("+Inf")]: "0+600x180",
  [own("clew_text_index_lag_pages")]: "0+0x60 2000+0x20 0+0x100",
  // The time of samples begins at 0.
  [own("clew_backup_last_success_timestamp_seconds")]: "-80000+0x180",
  [`clew_query_jobs_refused_total{${target}}`]: "0+0x90 1+0x90",
  [own("nodejs_eventloop_lag_p99_seconds")]: "0.02+0x180",
};

/** The fault of each alert: the series that differ from those of a healthy Clew. */
const faults: Readonly<Record<string, Series>> = {
  ClewDown: { [own("up")]: "0+0x180" },
  ClewDatabaseDown: { [own("clew_database_up")]: "0+0x180" },
  ClewErrors: { [requests(500)]: "0+20x180" },
  ClewBuildsDiffer: { [build("b", "1")]: "_x180", [build("b", "2")]: "1+0x180" },
  ClewProviderFails: { [calls("failed")]: "0+200x180" },
  ClewGrantsWithdrawn: { [syncs("withdrawn")]: "0+0x150 5+0x30" },
  ClewSyncsFail: { [syncs("complete")]: "0+1x180", [syncs("failed")]: "0+3x180" },
  ClewFirstSyncStuck: { [own("clew_oldest_never_synced_age_seconds")]: "18000+60x180" },
  ClewSyncsOverdue: { [own("clew_connections_overdue")]: "1+0x180" },
  ClewDiskLow: { [own("clew_disk_free_bytes")]: "9e8+0x180" },
  ClewDiskFull: { [own("clew_disk_free_bytes")]: "6e7+0x180" },
  ClewMemoryFull: { [own("process_resident_memory_bytes")]: "9.5e8+0x180" },
  ClewHeapFull: { [own("nodejs_heap_size_used_bytes")]: "4.8e8+0x180" },
  ClewPoolFull: { [own("clew_db_pool", ',state="waiting"')]: "2+0x180" },
  ClewPoolSlow: { [poolWait("0.5")]: "0+580x180" },
  ClewTextIndexBehind: { [own("clew_text_index_lag_pages")]: "1500+0x180" },
  ClewBackupOld: { [own("clew_backup_last_success_timestamp_seconds")]: "-170000+0x180" },
  ClewQueriesRefused: { [`clew_query_jobs_refused_total{${target}}`]: "0+30x180" },
  ClewSlow: { [own("nodejs_eventloop_lag_p99_seconds")]: "1.5+0x180" },
};

const promtool = process.env.PROMTOOL ?? "promtool";
const skip =
  spawnSync(promtool, ["--version"]).status === 0 ? false : "promtool is not installed (Debian: prometheus)";

test("OPS-2: every alert rule has one expression and a fault that it is tested against", () => {
  assert.deepEqual(alerts.toSorted(), Object.keys(faults).toSorted());
  assert.equal(ruleExpressions.length, alerts.length);
});

test("OPS-2: each alert fires at its fault, alone, and none fires while Clew is healthy", {
  skip,
}, async (t) => {
  const { folder } = await stageOf(t);
  const cases = [["healthy", {}] as const, ...Object.entries(faults)];
  const tests = cases.map(([name, fault]) => ({
    name,
    interval: "1m",
    input_series: Object.entries({ ...healthy, ...fault }).map(([series, values]) => ({ series, values })),
    promql_expr_test: [
      {
        // At any time until then.
        expr: 'count by (alertname) (last_over_time(ALERTS{alertstate="firing"}[3h]))',
        eval_time: "170m",
        exp_samples: name === "healthy" ? [] : [{ labels: `{alertname="${name}"}`, value: 1 }],
      },
    ],
  }));
  const file = join(folder, "alerts.json");
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ rule_files: [rulesPath], evaluation_interval: "1m", tests }));
  const run = (...words: string[]) => execFileSync(promtool, words, { encoding: "utf8", stdio: "pipe" });
  assert.match(run("check", "rules", rulesPath), new RegExp(`SUCCESS: ${alerts.length} rules found`));
  assert.match(run("test", "rules", file), /SUCCESS/);
});
