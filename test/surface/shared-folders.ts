import { markdownPage, twoPeople } from "../support/markdown-folder.ts";

/** The title of each top-level folder of the workspace. */
export const folders = { east: "East shelf", west: "West shelf", hall: "Hall of both" } as const;

/**
 * A workspace of three top-level folders that point at each other with every type of reference. The text of a link is
 * never its target's title, so that a title in a response can only come from the graph.
 */
export const folderFiles: Readonly<Record<string, string>> = {
  "_workspace.yml": "name: Two shelves\nicon: 📚\n",
  ...twoPeople,

  "east/index.md": markdownPage(
    folders.east,
    "Begin [here](atlas.md), or go [over there](../west/index.md).",
  ),
  "east/atlas.md": markdownPage(
    "Atlas of islands",
    "Names [[Botany of dunes]] and [[Compass roses]]. See [a map](maps/northern.md), [a flower](../west/botany.md) " +
      "and [the catalogue](../hall/catalogue.md).",
  ),
  "east/compass.md": markdownPage("Compass roses", "Back to [the first](atlas.md)."),
  "east/maps/_database.yml":
    "title: Maps\nproperties:\n  Grows here: { type: relation, database: ../../west/herbs }\n" +
    "  Beside: { type: relation, database: ../maps }\n",
  "east/maps/northern.md": markdownPage("Northern waters", "A map.", {
    "Grows here": "../../west/herbs/thyme.md",
    Beside: "southern.md",
  }),
  "east/maps/southern.md": markdownPage("Southern waters", "A map, beside [another](northern.md)."),

  "west/index.md": markdownPage(
    folders.west,
    "Begin [here](botany.md), or go [over there](../east/index.md).",
  ),
  "west/botany.md": markdownPage(
    "Botany of dunes",
    "Names [[Atlas of islands]] and [[Mosses]]. See [a herb](herbs/thyme.md), [a map](../east/atlas.md) and " +
      "[the catalogue](../hall/catalogue.md).",
  ),
  "west/mosses.md": markdownPage("Mosses", "Back to [the first](botany.md)."),
  "west/herbs/_database.yml":
    "title: Herbs\nproperties:\n  Shown on: { type: relation, database: ../../east/maps }\n",
  "west/herbs/thyme.md": markdownPage("Thyme", "A herb.", { "Shown on": "../../east/maps/northern.md" }),

  "hall/index.md": markdownPage(
    folders.hall,
    "To [one side](../east/index.md), to [the other](../west/index.md).",
  ),
  "hall/catalogue.md": markdownPage(
    "Catalogue",
    "Lists [[Atlas of islands]] and [[Botany of dunes]], and [itself](catalogue.md).",
  ),
};
