import { readYamlMap } from "./front-matter.ts";
import { iconOf } from "./icon.ts";
import { idOf, parseId } from "./ids.ts";

/** What a workspace is called. */
export interface Identity {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
}

/**
 * Reads a `_workspace.yml` (`name`, `icon`, `id`). Without one the workspace is called as its folder. The id follows from
 * the name, so that it stays when the folder moves.
 */
export function readIdentity(text: string | null, folderName: string): Identity {
  const yaml = readYamlMap(text ?? "");
  const data = yaml.ok ? yaml.data : {};
  const name = typeof data.name === "string" && data.name.trim() !== "" ? data.name.trim() : folderName;
  const id =
    typeof data.id === "string" ? (parseId(data.id) ?? idOf("workspace", data.id)) : idOf("workspace", name);
  return { id, name, icon: iconOf(data.icon) };
}
