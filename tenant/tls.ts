import { generate } from "selfsigned";

/** A local authority and its certificate for `localhost`; both exist as long as the process. */
export interface LocalTls {
  readonly ca: string;
  readonly key: string;
  readonly cert: string;
}

let made: Promise<LocalTls> | null = null;

/** Created once per process, because two key pairs take noticeable time. */
export function createLocalTls(): Promise<LocalTls> {
  made ??= make();
  return made;
}

async function make(): Promise<LocalTls> {
  const authority = await generate([{ name: "commonName", value: "Postroom local tenant CA" }], {
    algorithm: "sha256",
    keySize: 2048,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: "commonName", value: "localhost" }], {
    algorithm: "sha256",
    keySize: 2048,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "keyUsage", digitalSignature: true, keyEncipherment: true },
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
          { type: 7, ip: "::1" },
        ],
      },
    ],
  });
  return { ca: authority.cert, key: server.private, cert: server.cert };
}
