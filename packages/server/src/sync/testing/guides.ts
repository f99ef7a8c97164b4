/** A workspace with a tree, a database with a relation, and links of every kind. */
export const files = {
  "start.md": "# Start\n\nSee [the guide](guides/first.md), [[Second]] and [again](guides/first.md).\n",
  "guides/index.md": "# Guides\n\nHow things are done.\n",
  "guides/first.md": "# First\n\nBack to [the start](../start.md).\n",
  "guides/deep/second.md": "# Second\n\nNothing here leads on.\n",
  "tasks/_database.yml":
    "title: Tasks\nproperties:\n  Done: { type: checkbox }\n  Blocks: { type: relation, database: . }\n",
  "tasks/write.md": "---\nDone: true\nBlocks: [./print.md]\n---\n# Write\n",
  "tasks/print.md": "---\nDone: false\n---\n# Print\n\nAfter [[Write]].\n",
};

/** Its edges, as `edges` tells them. */
export const everything = [
  "Guides -child-> First",
  "Guides -child-> deep",
  "Print -mention-> Write",
  "First -link-> Start",
  "Start -link-> First",
  "Start -mention-> Second",
  "Tasks -child-> Print",
  "Tasks -child-> Write",
  "Write -relation Blocks-> Print",
  "deep -child-> Second",
].sort();
