import { checks, proofs, runChecks } from "./checks.ts";

// Runs every check of the source, as `npm test` does.
const { passed, failures } = runChecks([...checks, ...proofs]);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
