import { createSigningKeys } from "../auth/signing-keys.ts";
import { withInstallation } from "./installation.ts";
import type { Surroundings } from "./surroundings.ts";

/** Lets a new key sign session tokens from now on, on all instances. Nobody is signed out (SESS-7). */
export async function rotateKeys(surroundings: Surroundings): Promise<void> {
  await withInstallation(surroundings, async ({ database, secrets }) => {
    const keys = await createSigningKeys({ ...surroundings, database, secrets });
    await keys.rotate();
    const { kid } = await keys.current();
    surroundings.print(`Session tokens are signed with the key ${kid} from now on; older ones stay good.`);
  });
}
