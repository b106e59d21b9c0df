/** What an operator chooses about an installation on Kubernetes; the chart's `values.yaml` has the same names. */
export interface DeployValues {
  readonly name: string;
  readonly image: string;
  readonly version: string;
  /** Settings that are not secret. */
  readonly settings: Readonly<Record<string, string>>;
  readonly settingsHash: string;
  /** The Kubernetes secret whose keys are the names of secret settings. */
  readonly secretName: string;
  readonly replicas: { readonly intake: number; readonly api: number; readonly worker: number };
  readonly autoscaling: {
    readonly isOn: boolean;
    readonly workersMax: number;
    /** More workers start when the oldest job that is due has waited longer. */
    readonly queueAgeSeconds: string;
  };
  readonly ingress: {
    readonly isOn: boolean;
    readonly host: string;
    readonly className: string;
    readonly tlsSecretName: string;
  };
  readonly networkPolicy: {
    readonly isOn: boolean;
    /** Namespaces, by their label `kubernetes.io/metadata.name`, that may call us. */
    readonly ingressNamespace: string;
    readonly monitoringNamespace: string;
  };
  readonly resources: {
    readonly cpu: string;
    readonly memory: string;
    readonly memoryMax: string;
    readonly homeSizeMax: string;
  };
}

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

export const DEFAULTS = {
  name: "postroom",
  image: "postroom",
  secretName: "postroom",
  replicas: { intake: 2, api: 1, worker: 2 },
  autoscaling: { isOn: true, workersMax: 8, queueAgeSeconds: "60" },
  ingress: { isOn: false, host: "", className: "nginx", tlsSecretName: "postroom-tls" },
  networkPolicy: {
    isOn: true,
    ingressNamespace: "ingress-nginx",
    monitoringNamespace: "monitoring",
  },
  resources: { cpu: "250m", memory: "512Mi", memoryMax: "2Gi", homeSizeMax: "10Gi" },
} as const;
