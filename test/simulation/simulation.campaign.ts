import "./machine/builtins.ts";
const { runSeed, Violation } = await import("./simulation.ts");
const first = Number(process.env.SEED ?? 1);
for (let i = first; i < first + Number(process.env.SEEDS ?? 3); i++) {
const c = process.cpuUsage();
try {
console.log(i, JSON.stringify(await runSeed(i, process.env.VERBOSE === "1" ? console.log : null)));
} catch (e) { console.log(e.lines?.slice(-15).join("\n")); console.log(e); }
const d = process.cpuUsage(c);
console.log("cpu", (d.user + d.system) / 1000);
}
