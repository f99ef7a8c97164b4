/** A name or address of the machine itself, as URLs have it. */
const loopback = /^(?:(?:[^.]+\.)*localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether only the receiver can read requests to this address: https, or a program on the same machine (RFC 6750, section 5.3). */
export function isConfidential({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && loopback.test(hostname));
}
