import { plainText } from "@clew/cli";
import { MoveRefused, type MoveStep, movePerson } from "../buckets/move-person.ts";
import { openPersonMover } from "../store/database.ts";
import { type CliContext, CommandError, withBuckets } from "./installation.ts";

/** The steps that take a while, in the words of the operator. */
const progress: Partial<Readonly<Record<MoveStep, string>>> = {
  marked: "The person's requests are answered with 503 from now on. Waiting for their syncs to end …",
  closed: "Copying …",
  live: "The new bucket answers. Waiting a minute for requests to the old one to end …",
};

/** Moves a person to another bucket, or finishes a move that was interrupted (OPS-14). */
export async function movePersonTo(
  context: CliContext,
  userId: string,
  { to }: { readonly to: number },
): Promise<void> {
  const { print } = context;
  await withBuckets(context, async (installations) => {
    if (installations.length < 2)
      throw new CommandError("There is one bucket alone: DATABASE_URL lists the databases of several.");
    const buckets = await Promise.all(
      installations.map(async ({ number, secrets, database }) => ({
        number,
        secrets,
        mover: await openPersonMover(database.location),
      })),
    );
    const onStep = (step: MoveStep) => {
      const line = progress[step];
      if (line !== undefined) print(line);
    };
    try {
      const outcome = await movePerson({ buckets, userId, to, onStep });
      print(
        {
          moved: `${plainText(userId)} lives in bucket ${to} now.`,
          "there-already": `${plainText(userId)} lives in bucket ${to} already.`,
          "taken-back": `The move was taken back: ${plainText(userId)} lives in bucket ${to}.`,
        }[outcome],
      );
    } catch (error) {
      if (error instanceof MoveRefused) throw new CommandError(error.message, { cause: error });
      throw error;
    } finally {
      await Promise.all(buckets.map(({ mover }) => mover.close()));
    }
  });
}
