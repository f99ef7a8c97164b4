import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, chmod, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** A Chromium that can be started on this machine. */
export interface Chromium {
  readonly executable: string;
  /** The environment variables that its process needs. */
  readonly env: Readonly<Record<string, string>>;
}

/** There is no Chromium for this machine. The message says how to install one. */
export class NoChromium extends Error {}

const systemChromium = "/usr/bin/chromium";

/**
 * Finds the Chromium that CHROMIUM_PATH names; otherwise the packaged one for Linux on x64, which brings its own libraries
 * and fonts; otherwise the system's own. Throws `NoChromium`.
 */
export async function findChromium(): Promise<Chromium> {
  const named = process.env.CHROMIUM_PATH;
  if (named) return { executable: named, env: {} };
  if (process.platform === "linux" && process.arch === "x64") return packagedChromium();
  if (await exists(systemChromium)) return { executable: systemChromium, env: {} };
  throw new NoChromium(
    `no Chromium is packaged for ${process.platform} ${process.arch}; CHROMIUM_PATH may name one`,
  );
}

async function packagedChromium(): Promise<Chromium> {
  // In the package's own folder, so that another version is unpacked again.
  const home = join(fileURLToPath(import.meta.resolve("@sparticuz/chromium")), "../../..");
  const folder = join(home, "unpacked");
  if (!(await exists(folder))) await unpackInto(folder);
  return {
    executable: join(folder, "chromium"),
    env: {
      LD_LIBRARY_PATH: join(folder, "al2023/lib"),
      FONTCONFIG_FILE: join(folder, "fonts/clew.conf"),
      XDG_CACHE_HOME: join(folder, "cache"),
    },
  };
}

/** Unpacks next to the folder and renames it at the end, so that the folder is always complete. */
async function unpackInto(folder: string): Promise<void> {
  const fresh = await mkdtemp(`${folder}-`);
  try {
    await runUnpacker(fresh);
    await writeFile(join(fresh, "fonts/clew.conf"), fontSettings(folder));
    // Other users of this machine may run the tests too.
    for (const path of [fresh, join(fresh, "chromium")]) await chmod(path, 0o755);
    await rename(fresh, folder);
  } catch (error) {
    await rm(fresh, { recursive: true });
    // Another process was first.
    if (!(await exists(folder))) throw error;
  }
}

/**
 * The package unpacks into its process's folder for temporary files, and unpacks its libraries only if the environment
 * looks like AWS Lambda.
 */
async function runUnpacker(folder: string): Promise<void> {
  const script = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: import.meta.dirname,
    env: { TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [fault] = await Promise.all([text(child.stderr), once(child, "exit")]);
  if (child.exitCode !== 0) throw new Error(`Chromium could not be unpacked: ${fault}`);
}

/** Prefers the packaged font, and uses the machine's fonts for other scripts. */
const fontSettings = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`;

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
