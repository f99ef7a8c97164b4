import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { signIn, readWorkspaces, waitForSync } from "../support/session.ts";
import { giveConsent } from "@clew/stand-in/testing";
import { Machine } from "./machine/machine.ts";
import { settled } from "./machine/real-work.ts";
import { Scheduler } from "./machine/scheduler.ts";
import { Instance } from "./instance.ts";
import { Network } from "./network.ts";
import { Provider, providerSettings } from "./provider.ts";

export async function runSeed(seed: number, verbose = false) {
  const folder = await mkdtemp("/dev/shm/clew-simulation-");
  const scheduler = new Scheduler(seed, { settled });
  if (verbose) scheduler.onEvent = console.log;
  const network = new Network(scheduler);
  globalThis.fetch = network.fetch;
  const clients = new Machine("the clients", scheduler);
  const machines: Machine[] = [];
  const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
  const work = async () => {
    let c = cpu();
    const lap = (w: string) => { console.log(w, (cpu() - c).toFixed(0)); c = cpu(); };
    const provider = await Provider.open(scheduler, network, join(folder, "pages"));
    lap("provider");
    const settings = {
      ...providerSettings,
      PUBLIC_URL: "http://localhost:9001",
      DATABASE_URL: `sqlite:${join(folder, "clew.db")}`,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      ALLOWED_EMAILS: "*@demo.example",
    };
    const instances = [1, 2].map((n) => new Instance({ name: `instance ${n}`, port: 9000 + n, scheduler, network, settings: { ...settings, DATA_DIR: join(folder, `data${n}`) }, onLog: (line) => verbose && console.log("   ", line.trim()) }));
    for (const each of instances) await each.start();
    lap("start");
    const [a, b] = instances;
    const session = await signIn(a!.url, { person: "Ann" });
    lap("signin");
    const list = await waitForSync(b!.url, session);
    lap("sync");
    scheduler.note(JSON.stringify(list).length + "");
    a!.kill();
    await sleep(60_000);
    lap("minute");
    await a!.start();
    lap("restart");
    const got = await readWorkspaces(a!.url, session);
    console.log(JSON.stringify(got));
    b!.kill(); a!.kill();
  };
  try {
    await scheduler.run(() => clients.enter(work));
    return { digest: scheduler.digest(), events: scheduler.events, passed: scheduler.passed };
  } catch (e) { console.log(scheduler.lines().slice(-20).join("\n")); throw e; }
  finally {
    await rm(folder, { recursive: true, force: true });
  }
}
