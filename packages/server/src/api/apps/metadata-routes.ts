import { ResourceMetadata, ref, ServerMetadata } from "@clew/contract";
import {
  basePathOf,
  mcpPath,
  resourceMetadataPath,
  serverMetadataPath,
  targetAfter,
} from "../../auth/apps/addresses.ts";
import { resourceMetadata, serverMetadata } from "../../auth/apps/metadata.ts";
import type { Config } from "../../config/config.ts";
import type { App } from "../../http/server.ts";

/**
 * The documents by which programs find their way from the URL of the MCP transport (APP-1). Where PUBLIC_URL has a path, they
 * are at the root of its host, to which a proxy leads, and below PUBLIC_URL.
 */
export async function metadataRoutes(
  app: App,
  { config }: { config: Pick<Config, "publicUrl"> },
): Promise<void> {
  const basePath = basePathOf(config);
  const options = { config: { access: { kind: "open" }, anyOrigin: true } } as const;

  for (const path of new Set([resourceMetadataPath, basePath + resourceMetadataPath]))
    app.get(path, { ...options, schema: resourceSchema }, async (request) => {
      const query = /\?.*$/s.exec(request.raw.url ?? "")?.[0] ?? "";
      return resourceMetadata(config, request, query);
    });
  for (const path of new Set([
    resourceMetadataPath + basePath + mcpPath,
    basePath + resourceMetadataPath + mcpPath,
  ]))
    app.get(path, { ...options, schema: resourceSchema }, async (request) =>
      resourceMetadata(config, request, targetAfter(path, request.raw.url ?? "")),
    );
  // Clients try the third if the second of these is out of Clew's reach.
  const serverPaths = new Set([serverMetadataPath + basePath, basePath + serverMetadataPath]);
  if (basePath !== "") serverPaths.add(`${basePath}/.well-known/openid-configuration`);
  for (const path of serverPaths)
    app.get(path, { ...options, schema: serverSchema }, async () => serverMetadata(config));
}

const resourceSchema = { hide: true, response: { 200: ref(ResourceMetadata) } };
const serverSchema = { hide: true, response: { 200: ref(ServerMetadata) } };
