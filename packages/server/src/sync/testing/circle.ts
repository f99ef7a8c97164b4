import type { Workspace } from "./workspace.ts";

/** Three pages that link to one another in a circle. */
export const files = {
  "one.md": "# One\n\nTo [two](two.md), with some secret words.\n",
  "two.md": "# Two\n\nTo [three](three.md).\n",
  "three.md": "# Three\n\nTo [one](one.md).\n",
};

/** Its edges, as `edges` tells them. */
export const links = ["One -link-> Two", "Three -link-> One", "Two -link-> Three"];

/** The id of a page before anything is synced, from a first listing. */
export async function idOf(workspace: Workspace, connectionId: number, title: string): Promise<string> {
  await workspace.run(connectionId);
  const { id } = await workspace.node(connectionId, title);
  return id;
}
