import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const sample = join(import.meta.dirname, "../../packages/stand-in/sample");

/**
 * A copy of the demo workspace in a new folder. Pages without a date of their own are as old as their files, so they were
 * just edited.
 */
export async function freshSample(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "clew-sample-"));
  await cp(sample, folder, { recursive: true });
  return folder;
}
