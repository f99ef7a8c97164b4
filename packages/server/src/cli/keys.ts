import { createSigningKeys } from "../auth/signing-keys.ts";
import { type CliContext, CommandError } from "./context.ts";
import { withInstallation } from "./installation.ts";
import { rotateEncryptionKey } from "./rotate-encryption.ts";

interface Options {
  readonly revokeOld?: boolean;
  readonly encryption?: boolean;
}

/**
 * Lets a new key sign session tokens from now on, on all instances. Nobody is signed out (SESS-7), unless the older keys
 * are to be revoked because one of them leaked. Or changes the key that secrets are encrypted with.
 */
export async function rotateKeys(
  context: CliContext,
  { revokeOld = false, encryption = false }: Options,
): Promise<void> {
  if (encryption && revokeOld)
    throw new CommandError(
      "--encryption and --revoke-old are about different keys: run one after the other.",
    );
  if (encryption) return rotateEncryptionKey(context);
  await withInstallation(context, async ({ database, secrets }) => {
    const { print } = context;
    const keys = await createSigningKeys({ ...context, database, secrets });
    const ended = revokeOld ? await keys.revokeOld() : await keys.rotate();
    const { kid } = await keys.current();
    if (ended === undefined)
      return print(`Session tokens are signed with the key ${kid} from now on; older ones stay good.`);
    print(`Session tokens are signed with the key ${kid} from now on. Older ones are refused at once.`);
    print(`Sessions ended: ${ended}. Everybody has to sign in again; service tokens go on.`);
  });
}
