import "./machine/builtins.ts";
const { runSeed } = await import("./scenario.ts");
for (let i = 0; i < 3; i++) {
const t = performance.now(); const c = process.cpuUsage();
console.log(await runSeed(1, process.env.VERBOSE === "1"));
const d = process.cpuUsage(c);
console.log("cpu", (d.user + d.system) / 1000);
}
