import { spawn } from "node:child_process";
import { constants, existsSync } from "node:fs";
import { access, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Stage } from "../support/stage.ts";

/** A proxy that `deploy/` has a configuration for. */
export interface ProxyProgram {
  readonly name: string;
  /** Its executable; null if it is not installed. */
  readonly executable: string | null;
  /** The package of Debian and Ubuntu. */
  readonly package: string;
  /** Whether it asks instances if they are ready. */
  readonly checksReadiness: boolean;
  /** Writes what it needs into a folder, and says how to start it. The configuration itself is the committed one. */
  readonly prepare: (place: Place) => Promise<Launch>;
  /** The same for the committed lines that lead a path of a host to Clew. */
  readonly prepareShared: (place: SharedPlace) => Promise<Launch>;
}

interface Place {
  readonly folder: string;
  /** The port at which it listens, on loopback. */
  readonly port: number;
  /** Hosts and ports of two or three instances. */
  readonly instances: readonly string[];
}

/** A host whose path `/clew` is Clew's. */
interface SharedPlace extends Pick<Place, "folder" | "port"> {
  /** Hosts and ports of Clew, and of the service that has the other paths. */
  readonly clew: string;
  readonly other: string;
}

interface Launch {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The file of its log, if that is not its standard output. */
  readonly log?: string;
}

/** A running proxy. */
export interface RunningProxy {
  readonly url: URL;
  /** Everything that it has logged, once that has this text in it. */
  outputWith(text: string): Promise<string>;
}

const deploy = join(import.meta.dirname, "../../deploy");

/** Clew's address in lines that name none by a variable. */
const documented = "127.0.0.1:8420";

/** Writes the main configuration of nginx, for an unprivileged process. */
async function launchNginx(folder: string, content: string): Promise<Launch> {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  );
  const main = `daemon off;\npid ${join(folder, "pid")};\nevents {}\nhttp {\n${temporary.join("\n")}\n${content}\n}\n`;
  await writeFile(join(folder, "nginx.conf"), main);
  return { args: ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")] };
}

/** Finds a program on the PATH and in the folders of servers; null if it is not installed. */
export function find(name: string): string | null {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

export const proxyPrograms: readonly ProxyProgram[] = [
  {
    name: "HAProxy",
    package: "haproxy",
    executable: find("haproxy"),
    checksReadiness: true,
    async prepare({ folder, port, instances }) {
      const committed = await readFile(join(deploy, "haproxy/haproxy.cfg"), "utf8");
      const unused = ["CLEW_1", "CLEW_2", "CLEW_3"].slice(instances.length);
      const lines = committed
        .split("\n")
        .filter((line) => !unused.some((name) => line.includes(`"\${${name}}"`)));
      await writeFile(join(folder, "haproxy.cfg"), lines.join("\n"));
      const addresses = Object.fromEntries(instances.map((address, index) => [`CLEW_${index + 1}`, address]));
      return {
        args: ["-f", join(folder, "haproxy.cfg")],
        env: { CLEW_BIND: `127.0.0.1:${port}`, ...addresses },
      };
    },
    prepareShared: async ({ port, clew, other }) => ({
      args: ["-f", join(deploy, "haproxy/clew-path.cfg")],
      env: { BIND: `127.0.0.1:${port}`, CLEW: clew, OTHER: other },
    }),
  },
  {
    name: "nginx",
    package: "nginx-light",
    executable: find("nginx"),
    checksReadiness: false,
    async prepare({ folder, port, instances }) {
      await copyFile(join(deploy, "nginx/clew.conf"), join(folder, "clew.conf"));
      const accessLog = join(folder, "access.log");
      await writeFile(
        join(folder, "clew-site.conf"),
        `listen 127.0.0.1:${port};\naccess_log ${accessLog} clew;\n`,
      );
      const servers = instances.map((address) => `server ${address} max_fails=1 fail_timeout=1s;\n`);
      await writeFile(join(folder, "clew-instances.conf"), servers.join(""));
      return { ...(await launchNginx(folder, "include clew.conf;")), log: accessLog };
    },
    async prepareShared({ folder, port, clew, other }) {
      const committed = await readFile(join(deploy, "nginx/clew-path.conf"), "utf8");
      await writeFile(join(folder, "clew-path.conf"), committed.replace(documented, clew));
      const host = `listen 127.0.0.1:${port};\ninclude clew-path.conf;\nlocation / { proxy_pass http://${other}; }`;
      return launchNginx(folder, `access_log off;\nserver {\n${host}\n}`);
    },
  },
  {
    name: "Caddy",
    package: "caddy",
    executable: find("caddy"),
    checksReadiness: true,
    prepare: async ({ folder, port, instances }) => ({
      args: ["run", "--adapter", "caddyfile", "--config", join(deploy, "caddy/Caddyfile")],
      env: {
        CLEW_SITE: ["localhost", "127.0.0.1"].map((host) => `http://${host}:${port}`).join(", "),
        CLEW_INSTANCES: instances.join(" "),
        HOME: folder,
      },
    }),
    async prepareShared({ folder, port, clew, other }) {
      const committed = await readFile(join(deploy, "caddy/clew-path.caddyfile"), "utf8");
      await writeFile(join(folder, "clew-path.caddyfile"), committed.replace(documented, clew));
      const sites = ["localhost", "127.0.0.1"].map((host) => `http://${host}:${port}`).join(", ");
      const host = `import clew-path.caddyfile\nhandle {\nreverse_proxy ${other}\n}`;
      await writeFile(join(folder, "Caddyfile"), `{\nadmin off\n}\n${sites} {\n${host}\n}\n`);
      return {
        args: ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")],
        env: { HOME: folder },
      };
    },
  },
];

/** Starts a proxy from its committed configuration; it ends with the stage. */
export function startProxy(
  stage: Stage,
  program: ProxyProgram,
  place: Omit<Place, "folder">,
): Promise<RunningProxy> {
  return start(stage, program, place.port, (folder) => program.prepare({ ...place, folder }));
}

/** The same where a path of the host is Clew's. */
export function startSharedProxy(
  stage: Stage,
  program: ProxyProgram,
  place: Omit<SharedPlace, "folder">,
): Promise<RunningProxy> {
  return start(stage, program, place.port, (folder) => program.prepareShared({ ...place, folder }));
}

async function start(
  stage: Stage,
  { name, executable }: ProxyProgram,
  port: number,
  prepare: (folder: string) => Promise<Launch>,
): Promise<RunningProxy> {
  if (executable === null) throw new Error(`${name} is not installed.`);
  await access(executable, constants.X_OK);
  const folder = join(stage.folder, `proxy-${port}`);
  await mkdir(folder, { recursive: true });
  const { args, env = {}, log } = await prepare(folder);
  const child = spawn(executable, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      written += text;
    });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  stage.defer(async () => {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), 2_000);
    await ended;
    clearTimeout(timer);
  });
  for (let attempt = 0; !(await accepts(port)); attempt += 1) {
    if (attempt === 2_000 || child.exitCode !== null) throw new Error(`${name} did not start:\n${written}`);
    await sleep(50);
  }
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    async outputWith(text) {
      for (;;) {
        const output = written + (log === undefined ? "" : await readFile(log, "utf8"));
        if (output.includes(text)) return output;
        await sleep(20);
      }
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
