/** Every Kubernetes object of an installation, as data. The command prints them, and the chart is made from them. */
import { policiesOf } from "./network.ts";
import { labelsOf, podOf, type Role } from "./pods.ts";
import type { DeployValues, KubernetesObject } from "./values.ts";

const ROLES: readonly Role[] = ["intake", "api", "worker"];

export function objectsOf(values: DeployValues): KubernetesObject[] {
  return [
    {
      ...head(values, "v1", "ServiceAccount", "account"),
      automountServiceAccountToken: false,
    },
    { ...head(values, "v1", "ConfigMap", "settings"), data: values.settings },
    migration(values),
    ...ROLES.map((role) => deployment(values, role)),
    ...(["intake", "api"] as const).map((role) => service(values, role)),
    disruptionBudget(values),
    ...(values.autoscaling.isOn ? [autoscaler(values)] : []),
    ...(values.networkPolicy.isOn ? policiesOf(values) : []),
    ...(values.ingress.isOn ? [ingress(values)] : []),
  ];
}

const head = (
  values: DeployValues,
  apiVersion: string,
  kind: string,
  role: string,
  suffix = "",
) => ({
  apiVersion,
  kind,
  metadata: { name: `${values.name}${suffix}`, labels: labelsOf(values, role) },
});

/** Runs before the new pods, so that they need not wait for it. Without it, they would migrate when they start. */
function migration(values: DeployValues): KubernetesObject {
  const { metadata, ...kind } = head(values, "batch/v1", "Job", "migrate", "-migrate");
  const pod = podOf(values, "migrate", ["migrate"]);
  return {
    ...kind,
    metadata: {
      ...metadata,
      annotations: {
        "helm.sh/hook": "post-install,pre-upgrade",
        "helm.sh/hook-delete-policy": "before-hook-creation",
      },
    },
    spec: {
      backoffLimit: 6,
      // The next version may then have a job of the same name.
      ttlSecondsAfterFinished: 600,
      template: { ...pod, spec: { ...pod.spec, restartPolicy: "OnFailure" } },
    },
  };
}

function deployment(values: DeployValues, role: Role): KubernetesObject {
  // The number of workers belongs to the autoscaler.
  const isScaled = role === "worker" && values.autoscaling.isOn;
  return {
    ...head(values, "apps/v1", "Deployment", role, `-${role}`),
    spec: {
      ...(isScaled ? {} : { replicas: values.replicas[role] }),
      selector: { matchLabels: labelsOf(values, role) },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: podOf(values, role, ["serve", "--role", role]),
    },
  };
}

function service(values: DeployValues, role: "intake" | "api"): KubernetesObject {
  return {
    ...head(values, "v1", "Service", role, `-${role}`),
    spec: {
      type: "ClusterIP",
      selector: labelsOf(values, role),
      ports: [{ name: "http", port: 80, targetPort: "http", protocol: "TCP" }],
    },
  };
}

/** Graph retries a notification for four hours only. */
function disruptionBudget(values: DeployValues): KubernetesObject {
  return {
    ...head(values, "policy/v1", "PodDisruptionBudget", "intake", "-intake"),
    spec: { minAvailable: 1, selector: { matchLabels: labelsOf(values, "intake") } },
  };
}

/** The metric comes from Prometheus through an adapter that serves `external.metrics.k8s.io`. */
function autoscaler(values: DeployValues): KubernetesObject {
  const { name, replicas, autoscaling } = values;
  return {
    ...head(values, "autoscaling/v2", "HorizontalPodAutoscaler", "worker", "-worker"),
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: `${name}-worker` },
      minReplicas: replicas.worker,
      maxReplicas: autoscaling.workersMax,
      metrics: [
        {
          type: "External",
          external: {
            metric: { name: "postroom_jobs_oldest_seconds" },
            target: { type: "Value", value: autoscaling.queueAgeSeconds },
          },
        },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
    },
  };
}

function ingress(values: DeployValues): KubernetesObject {
  const { host, className, tlsSecretName } = values.ingress;
  const to = (path: string, role: "intake" | "api") => ({
    path,
    pathType: "Prefix",
    backend: { service: { name: `${values.name}-${role}`, port: { name: "http" } } },
  });
  const paths = [
    to("/webhooks", "intake"),
    to("/api/v1/emails/webhook-trigger", "intake"),
    to("/", "api"),
  ];
  return {
    ...head(values, "networking.k8s.io/v1", "Ingress", "ingress"),
    spec: {
      ingressClassName: className,
      tls: [{ hosts: [host], secretName: tlsSecretName }],
      rules: [{ host, http: { paths } }],
    },
  };
}
