import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { sampleDirectory, startStandIn } from "./stand-in.ts";

// The stand-in by itself: `node src/main.ts --dir notes --port 8421`.

const usage = `Serves a folder of Markdown as a Notion workspace.

  --dir FOLDER        the folder (the sample that comes with Clew)
  --host HOST         where to listen (127.0.0.1)
  --port PORT         where to listen (8421)
  --client-id ID      the client that may ask for access (clew)
  --client-secret S   its secret (stand-in)
  --state FILE        keep grants in this file (in memory)
  --rate-limit N      calls a minute and grant, 0 for any number (180)
  --help`;

const { values } = parseArgs({
  options: {
    dir: { type: "string", default: sampleDirectory },
    host: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: "8421" },
    "client-id": { type: "string", default: "clew" },
    "client-secret": { type: "string", default: "stand-in" },
    state: { type: "string" },
    "rate-limit": { type: "string", default: "180" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(`${usage}\n`);
} else {
  const server = await startStandIn({
    directory: values.dir,
    host: values.host,
    port: Number(values.port),
    clientId: values["client-id"],
    clientSecret: values["client-secret"],
    stateFile: values.state ?? null,
    clock: Date.now,
    random: randomBytes,
    rateLimit: Number(values["rate-limit"]),
  });
  const { entries, warnings } = server.workspace();
  for (const { path, message } of warnings) process.stderr.write(`${path}: ${message}\n`);
  process.stdout.write(`${entries.length} pages and databases at ${server.url}\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => server.close().then(() => process.exit(0)));
  }
}
