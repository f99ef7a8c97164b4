import { spawn } from "node:child_process";

/** The program that opens an address in the person's browser, and its arguments; null where there is no screen. */
function openerOf(env: Readonly<Record<string, string | undefined>>): readonly string[] | null {
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open"] : null;
}

/** Opens an address in the person's browser, if there is one. */
export function openBrowser(env: Readonly<Record<string, string | undefined>>, address: URL): void {
  const [command, ...words] = openerOf(env) ?? [];
  if (command === undefined) return;
  const child = spawn(command, [...words, address.href], { stdio: "ignore", detached: true });
  // The address was printed too.
  child.on("error", () => {});
  child.unref();
}
