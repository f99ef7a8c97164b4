import { type Migration, stepsOf, unwatched } from "../../migrate.ts";
import { shared } from "../../migrations/shared.ts";
import { initial } from "./0001-initial.ts";
import { lastingSync } from "./0002-lasting-sync.ts";
import { everyRemoval } from "./0003-every-removal.ts";
import { audit } from "./0004-audit.ts";
import { syncOutcome } from "./0005-sync-outcome.ts";
import { names } from "./0006-names.ts";
import { changingTheKey } from "./0007-changing-the-key.ts";
import { signInCodes } from "./0008-sign-in-codes.ts";
import { auditOrigins } from "./0009-audit-origins.ts";
import { storedBytes } from "./0010-stored-bytes.ts";
import { glossary } from "./0011-glossary.ts";
import { whatChanged } from "./0012-what-changed.ts";
import { overlaps } from "./0013-overlaps.ts";

/** Every step from an empty database to this program's schema, in order. New ones are in ../../migrations. */
export const released: readonly Migration[] = [
  ...unwatched(
    [
      initial,
      lastingSync,
      everyRemoval,
      audit,
      syncOutcome,
      names,
      changingTheKey,
      signInCodes,
      auditOrigins,
      storedBytes,
      glossary,
      whatChanged,
      overlaps,
    ],
    {
      [lastingSync.name]: { nodes: "rewrites" },
      [everyRemoval.name]: { tombstones: "rewrites" },
      [whatChanged.name]: { contents: "indexes", tombstones: "indexes" },
      [overlaps.name]: { service_tokens: "rewrites" },
    },
  ),
  ...stepsOf("sqlite", shared),
];
