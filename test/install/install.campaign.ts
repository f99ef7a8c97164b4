import { attempt } from "./attempts.ts";
import { bareMachine } from "./bare-machine.ts";

/**
 * Installs Clew with the versions of npm that people have, from nothing: `npm run campaign install`. NPM names other
 * versions, separated by commas. Each starts the server and runs the tests of one package on a PATH without a compiler and
 * Python, from an empty cache. Needs the registry. The exit code is 1 if anything failed.
 */
const versions = (process.env.NPM ?? "10.8.2,10.9.4,11.6.2,11.19.1").split(",");

for (const version of versions) {
  const machine = await bareMachine({ npm: version, cache: "empty", holds: "checkout" });
  try {
    await attempt(`npm ${version}, npm start`, async () => {
      await machine.serve(["npm", "start"]);
      return "ready";
    });
    await attempt(`npm ${version}, npm test -- packages/graph`, async () => {
      const { code, output } = await machine.npm("test", "--", "packages/graph");
      const counts = /^\d+ passed, \d+ failed$/m.exec(output)?.[0];
      if (code !== 0 || counts === undefined) throw new Error(output);
      return counts;
    });
  } finally {
    await machine.remove();
  }
}
