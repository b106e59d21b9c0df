/** The pods: one program, started with one role, as a user without rights and on a file system that it cannot write. */
import type { DeployValues } from "./values.ts";

export type Role = "intake" | "api" | "worker";

/** The image creates this user; no user of the host has the number. */
export const USER = 65_532;
export const PORT = 8010;
const HOME = "/data";
const SECRETS = "/run/secrets/postroom";

export const labelsOf = ({ name }: DeployValues, role: string) => ({
  "app.kubernetes.io/name": "postroom",
  "app.kubernetes.io/instance": name,
  "app.kubernetes.io/component": role,
});

export function podOf(values: DeployValues, role: Role | "migrate", args: readonly string[]) {
  const { name, secretName, settingsHash, resources } = values;
  return {
    metadata: {
      labels: labelsOf(values, role),
      // Settings are read at the start, so other settings must start other pods.
      annotations: { "checksum/settings": settingsHash },
    },
    spec: {
      serviceAccountName: name,
      automountServiceAccountToken: false,
      // A worker gives its jobs 25 seconds to finish.
      terminationGracePeriodSeconds: 40,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: USER,
        runAsGroup: USER,
        fsGroup: USER,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [containerOf(values, role, args)],
      volumes: [
        { name: "home", emptyDir: { sizeLimit: resources.homeSizeMax } },
        { name: "tmp", emptyDir: {} },
        { name: "secrets", secret: { secretName, defaultMode: 0o440 } },
      ],
    },
  };
}

function containerOf(values: DeployValues, role: Role | "migrate", args: readonly string[]) {
  const { name, image, version, resources } = values;
  const probe = (path: string, periodSeconds: number, failureThreshold: number) => ({
    httpGet: { path, port: "http" },
    periodSeconds,
    failureThreshold,
    timeoutSeconds: 5,
  });
  const probes = {
    ports: [{ name: "http", containerPort: PORT, protocol: "TCP" }],
    // Migrations of a large database may take long.
    startupProbe: probe("/healthz", 5, 120),
    livenessProbe: probe("/healthz", 10, 3),
    readinessProbe: probe("/readyz", 5, 2),
  };
  return {
    name: role,
    image: `${image}:${version}`,
    args: [...args],
    env: [
      { name: "POSTROOM_HOST", value: "0.0.0.0" },
      { name: "PORT", value: String(PORT) },
      { name: "POSTROOM_HOME", value: HOME },
      { name: "POSTROOM_SECRETS", value: SECRETS },
    ],
    envFrom: [{ configMapRef: { name } }],
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    resources: {
      requests: { cpu: resources.cpu, memory: resources.memory },
      limits: { memory: resources.memoryMax },
    },
    volumeMounts: [
      { name: "home", mountPath: HOME },
      { name: "tmp", mountPath: "/tmp" },
      { name: "secrets", mountPath: SECRETS, readOnly: true },
    ],
    ...(role === "migrate" ? {} : probes),
  };
}
