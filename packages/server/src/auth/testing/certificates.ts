import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/*
 * X.509 certificates for tests (RFC 5280), made when they are needed: Node reads them, but makes none. A private key in the
 * repository would have to be explained to everyone who scans it.
 */

/** A certificate, and what its holder proves with. */
export interface Certified {
  readonly name: string;
  /** PEM. */
  readonly certificate: string;
  readonly key: KeyObject;
}

interface Subject {
  readonly name: string;
  /** The DNS name that it is for; an authority has none. */
  readonly host?: string;
  /** Milliseconds since the Unix epoch at which it ends; an hour from now by default. */
  readonly until?: number;
  /** Signs it; by default its own key does, as for an authority. */
  readonly issuer?: Certified;
}

const hourMs = 3_600_000;

/** Makes a key and a certificate for it, which is valid for two hours. */
export function certify({ name, host, until = Date.now() + hourMs, issuer }: Subject): Certified {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const extensions = [
    extension(oids.basicConstraints, sequence(...(host === undefined ? [der(0x01, [0xff])] : []))),
    ...(host === undefined ? [] : [extension(oids.subjectAltName, sequence(der(0x82, Buffer.from(host))))]),
  ];
  const content = sequence(
    der(0xa0, integer(2)),
    integer(1 + Math.floor(Math.random() * 2 ** 31)),
    ecdsaWithSha256,
    nameOf(issuer?.name ?? name),
    sequence(time(until - 2 * hourMs), time(until)),
    nameOf(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign("sha256", content, issuer?.key ?? privateKey);
  const whole = sequence(content, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = whole.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    name,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey,
  };
}

/** Encodes a value (DER, X.690): its tag, its length, and itself. */
function der(tag: number, value: ArrayLike<number>): Buffer {
  const { length } = value;
  const long = length > 0xff ? [0x82, length >> 8, length & 0xff] : [0x81, length];
  return Buffer.concat([Buffer.of(tag, ...(length < 0x80 ? [length] : long)), Buffer.from(value)]);
}

const sequence = (...values: readonly Buffer[]) => der(0x30, Buffer.concat(values));

/** A positive integer below 2^32. */
function integer(value: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32BE(value, 1);
  const start = bytes.findIndex((byte, index) => byte !== 0 || index === 4);
  // The first bit is the sign.
  return der(0x02, bytes.subarray((bytes[start] ?? 0) < 0x80 ? start : start - 1));
}

/** UTCTime, which ends with the year 2049. */
function time(milliseconds: number): Buffer {
  const text = new Date(milliseconds)
    .toISOString()
    .replaceAll(/[-:T]|\.\d+/g, "")
    .slice(2);
  return der(0x17, Buffer.from(text));
}

const oid = (...bytes: readonly number[]) => der(0x06, bytes);

const oids = {
  basicConstraints: oid(0x55, 0x1d, 0x13),
  subjectAltName: oid(0x55, 0x1d, 0x11),
  commonName: oid(0x55, 0x04, 0x03),
};

/** 1.2.840.10045.4.3.2 */
const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));

const nameOf = (name: string) => sequence(der(0x31, sequence(oids.commonName, der(0x0c, Buffer.from(name)))));

const extension = (id: Buffer, value: Buffer) => sequence(id, der(0x04, value));
