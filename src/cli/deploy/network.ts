import { labelsOf, PORT } from "./pods.ts";
import type { DeployValues, KubernetesObject } from "./values.ts";

/** Microsoft, the clouds' stores and OTLP by TLS; PostgreSQL; Redis with and without TLS; Service Bus. */
const PORTS_OUT = [443, 5432, 6379, 6380, 5671];

const namespace = (name: string) => ({
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } },
});
const tcp = (port: number) => ({ port, protocol: "TCP" });

/** Nothing reaches a pod except what is listed, and a pod reaches nothing else. */
export function policiesOf(values: DeployValues): KubernetesObject[] {
  const { ingressNamespace, monitoringNamespace } = values.networkPolicy;
  const instance = { matchLabels: instanceOf(values) };
  const http = [tcp(PORT)];
  const policy = (suffix: string, spec: Record<string, unknown>): KubernetesObject => ({
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: `${values.name}${suffix}`, labels: labelsOf(values, "network") },
    spec,
  });
  return [
    policy("-default", {
      podSelector: instance,
      policyTypes: ["Ingress", "Egress"],
      ingress: [{ from: [namespace(monitoringNamespace)], ports: http }],
      egress: [
        { to: [{ namespaceSelector: {} }], ports: [tcp(53), { port: 53, protocol: "UDP" }] },
        { ports: PORTS_OUT.map(tcp) },
      ],
    }),
    policy("-public", {
      podSelector: {
        matchLabels: instanceOf(values),
        matchExpressions: [
          { key: "app.kubernetes.io/component", operator: "In", values: ["intake", "api"] },
        ],
      },
      policyTypes: ["Ingress"],
      ingress: [{ from: [namespace(ingressNamespace)], ports: http }],
    }),
  ];
}

function instanceOf(values: DeployValues): Record<string, string> {
  const { "app.kubernetes.io/component": _, ...labels } = labelsOf(values, "");
  return labels;
}
