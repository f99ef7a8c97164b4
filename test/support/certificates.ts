import { execFileSync, spawnSync } from "node:child_process";

/** Says why no certificates can be made; false if they can. */
export const noCertificates: string | false =
  spawnSync("openssl", ["version"]).status !== 0 && "openssl is not installed: install the package openssl";

const elliptic = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** Makes a certificate authority: `<name>.pem` in the folder, with its key in `<name>.key`. */
export function makeAuthority(folder: string, name: string): void {
  const files = ["-keyout", `${name}.key`, "-out", `${name}.pem`];
  openssl(folder, "req", "-x509", ...elliptic, "-days", "2", "-subj", `/CN=${name}`, ...files);
}

/** Makes a certificate for localhost that an authority of the folder signs. With a negative number of days it has expired. */
export function makeCertificate(folder: string, name: string, authority: string, days: number): void {
  const host = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  openssl(folder, "req", ...elliptic, ...host, "-keyout", `${name}.key`, "-out", `${name}.csr`);
  const issuer = ["-CA", `${authority}.pem`, "-CAkey", `${authority}.key`, "-CAcreateserial"];
  const signed = ["-days", String(days), "-copy_extensions", "copy", "-out", `${name}.pem`];
  openssl(folder, "x509", "-req", "-in", `${name}.csr`, ...issuer, ...signed);
}

function openssl(folder: string, ...args: string[]): void {
  execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
}
