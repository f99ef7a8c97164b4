import { execFileSync } from "node:child_process";

/** The parts of a CycloneDX document that are read. https://cyclonedx.org/docs/1.5/json/ */
export interface Sbom {
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly {
    readonly "bom-ref": string;
    readonly purl: string;
    readonly properties?: readonly { readonly name: string; readonly value: string }[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * Lists the packages that Clew needs at run time, on all platforms, from the lockfile of a checkout. With `--omit=dev` npm leaves
 * out all packages that development needs too, so this takes those out that it marks as needed by development alone.
 */
export function productionSbom(root: string): Sbom {
  const args = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"];
  const output = execFileSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return withoutDevelopment(JSON.parse(output) as Sbom);
}

function withoutDevelopment(sbom: Sbom): Sbom {
  const components = sbom.components.filter(
    ({ properties = [] }) => !properties.some(({ name }) => name === "cdx:npm:package:development"),
  );
  const kept = new Set(components.map((component) => component["bom-ref"]));
  const { metadata } = sbom;
  return {
    ...sbom,
    // npm takes the name of the folder.
    metadata: { ...metadata, component: { ...metadata.component, name: "clew" } },
    components,
    dependencies: sbom.dependencies
      .filter(({ ref }) => kept.has(ref) || ref.startsWith("clew@"))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) })),
  };
}
