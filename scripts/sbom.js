// Prints the bill of materials of a release as CycloneDX. `npm sbom --omit=dev` leaves out every package that a
// development tool uses too, pg among them, so the lockfile is read here.
import { readFileSync } from "node:fs";

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
const { name, version, license } = read("package.json");
const purlOf = (name, version) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

function toComponent([path, { version, license, integrity, optional }]) {
  const name = path.split("node_modules/").at(-1);
  const [algorithm, digest] = integrity.split("-", 2);
  return {
    type: "library",
    "bom-ref": path,
    ...{ name, version, purl: purlOf(name, version) },
    scope: optional === true ? "optional" : "required",
    licenses: license === undefined ? [] : [{ expression: license }],
    hashes: [
      {
        alg: algorithm.toUpperCase().replace("SHA", "SHA-"),
        content: Buffer.from(digest, "base64").toString("hex"),
      },
    ],
  };
}

const components = Object.entries(read("package-lock.json").packages)
  .filter(([path, { dev }]) => path !== "" && !dev)
  .map(toComponent);
const own = { type: "application", name, version, purl: purlOf(name, version) };
const bill = {
  ...{ bomFormat: "CycloneDX", specVersion: "1.5", version: 1 },
  metadata: { component: { ...own, licenses: [{ expression: license }] } },
  components,
};
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
