import { hash } from "node:crypto";

/** Whether a credential with this SHA-256 leads to the bucket that draws it. */
export type OwnsCredential = (credentialHash: Uint8Array) => boolean;

/** The SHA-256 of a credential, by which its bucket is found. */
export const credentialHash = (credential: string): Buffer => hash("sha256", credential, "buffer");

/**
 * Draws a credential until its hash leads to this bucket: as many attempts as there are buckets, on average. Without `owns`, which is
 * left out if there is one bucket alone, the first one serves.
 */
export function drawCredential(draw: () => string, owns: OwnsCredential | undefined): string {
  for (;;) {
    const drawn = draw();
    if (owns === undefined || owns(credentialHash(drawn))) return drawn;
  }
}
