import { randomBytes } from "node:crypto";
import { readBuild } from "../../packages/server/src/build.ts";
import { serve } from "../../packages/server/src/server.ts";

// Clew as a process whose demo workspace is the folder DEMO_DIRECTORY instead of the sample.

const { promise: signalled, resolve: signal } = Promise.withResolvers<NodeJS.Signals>();
process.once("SIGTERM", signal);
process.once("SIGINT", signal);
const { stdout, stderr, env } = process;
const { DEMO_DIRECTORY: demoDirectory = "" } = env;
await serve(
  {
    ...{ env, folders: [], isRoot: false, stdout, stderr, fetch, demoDirectory },
    ...{ notifyReady: () => {}, onCrash: () => {} },
    ...{ clock: Date.now, monotonic: () => performance.now(), random: randomBytes, build: readBuild() },
  },
  signalled,
);
process.exit(0);
