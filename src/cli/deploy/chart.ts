/**
 * The Helm chart. Its templates are our own objects, with expressions of Helm where an operator may choose, so the
 * chart and the plain manifests cannot differ.
 */
import { SECRETS } from "../../config/secret-files.ts";
import { MANIFEST } from "../../lib/version.ts";
import { objectsOf } from "./objects.ts";
import { DEFAULTS, type DeployValues, type KubernetesObject } from "./values.ts";

/** A placeholder in an object, until its text is written: `⟦kind expression⟧`. */
const text = (expression: string): string => `⟦text ${expression}⟧`;
const number = (expression: string) => `⟦bare ${expression}⟧` as unknown as number;

const EXPRESSIONS: DeployValues = {
  name: text(".Release.Name"),
  image: text(".Values.image"),
  version: text(".Chart.AppVersion"),
  settings: "⟦map .Values.settings⟧" as unknown as Record<string, string>,
  settingsHash: text(".Values.settings | toJson | sha256sum"),
  secretName: text(".Values.secretName"),
  replicas: {
    intake: number(".Values.replicas.intake"),
    api: number(".Values.replicas.api"),
    worker: number(".Values.replicas.worker"),
  },
  autoscaling: {
    isOn: true,
    workersMax: number(".Values.autoscaling.workersMax"),
    queueAgeSeconds: text(".Values.autoscaling.queueAgeSeconds"),
  },
  ingress: {
    isOn: true,
    host: text(".Values.ingress.host"),
    className: text(".Values.ingress.className"),
    tlsSecretName: text(".Values.ingress.tlsSecretName"),
  },
  networkPolicy: {
    isOn: true,
    ingressNamespace: text(".Values.networkPolicy.ingressNamespace"),
    monitoringNamespace: text(".Values.networkPolicy.monitoringNamespace"),
  },
  resources: {
    cpu: text(".Values.resources.cpu"),
    memory: text(".Values.resources.memory"),
    memoryMax: text(".Values.resources.memoryMax"),
    homeSizeMax: text(".Values.resources.homeSizeMax"),
  },
};

/** Objects that an operator can leave out. */
const CONDITIONS: Readonly<Record<string, string>> = {
  HorizontalPodAutoscaler: ".Values.autoscaling.isOn",
  Ingress: ".Values.ingress.isOn",
  NetworkPolicy: ".Values.networkPolicy.isOn",
};

type ToYaml = (value: unknown) => string;

/** The chart's files by their paths. */
export function chartFiles(toYaml: ToYaml): Record<string, string> {
  const files: Record<string, string> = {
    "Chart.yaml": toYaml({
      apiVersion: "v2",
      name: "postroom",
      type: "application",
      description: MANIFEST.description,
      version: MANIFEST.version,
      appVersion: MANIFEST.version,
    }),
    "values.yaml": toYaml(defaultValues()),
    "values.schema.json": `${JSON.stringify(SCHEMA, null, 2)}\n`,
  };
  for (const object of objectsOf(EXPRESSIONS))
    files[`templates/${fileOf(object)}`] = templateOf(object, toYaml);
  // With the autoscaler off, the chart sets the number of workers.
  const fixed = objectsOf({
    ...EXPRESSIONS,
    autoscaling: { ...EXPRESSIONS.autoscaling, isOn: false },
  });
  const workers = fixed.find((object) => fileOf(object) === WORKERS)!;
  files[`templates/${WORKERS}`] = files[`templates/${WORKERS}`]!.replace(
    /^spec:\n/m,
    `spec:\n${unlessScaled(templateOf(workers, toYaml))}`,
  );
  return files;
}

const WORKERS = "deployment-worker.yaml";

const unlessScaled = (template: string): string =>
  `  {{- if not .Values.autoscaling.isOn }}\n${/^ {2}replicas: .*$/m.exec(template)![0]}\n  {{- end }}\n`;

const defaultValues = () => {
  const { name: _, ...rest } = DEFAULTS;
  return { ...rest, settings: {} };
};

function fileOf({ kind, metadata }: KubernetesObject): string {
  const suffix = metadata.name.replace(/^⟦.*⟧/, "");
  return `${kind.toLowerCase()}${suffix}.yaml`;
}

function templateOf(object: KubernetesObject, toYaml: ToYaml): string {
  const body = toYaml(object).replaceAll(/^(\s*(?:- )?)(?:([^\s⟦][^⟦\n]*?): )?(.*⟦.*)$/gm, toLine);
  const condition = CONDITIONS[object.kind];
  return condition === undefined ? body : `{{- if ${condition} }}\n${body}{{- end }}\n`;
}

function toLine(_: string, indent: string, key: string | undefined, value: string): string {
  const begin = key === undefined ? indent : `${indent}${key}:`;
  const [, kind, expression] = /^⟦(\w+) ([^⟧]*)⟧$/.exec(value) ?? [];
  const blank = key === undefined ? "" : " ";
  if (kind === "map") return `${begin}\n  {{- toYaml ${expression} | nindent 2 }}`;
  if (kind === "bare") return `${begin}${blank}{{ ${expression} }}`;
  if (kind === "text") return `${begin}${blank}{{ ${expression} | quote }}`;
  return `${begin}${blank}"${value.replaceAll(/⟦\w+ ([^⟧]*)⟧/g, "{{ $1 }}")}"`;
}

const strings = (...names: string[]) => ({
  type: "object",
  additionalProperties: false,
  properties: Object.fromEntries(names.map((name) => [name, { type: "string", minLength: 1 }])),
});
const aNumber = { type: "integer", minimum: 1 };
const isOn = { type: "boolean" };

/** Helm refuses values that do not fit. */
const SCHEMA = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  additionalProperties: false,
  required: ["image", "secretName", "settings"],
  properties: {
    global: { type: "object" },
    image: { type: "string", minLength: 1 },
    secretName: { type: "string", minLength: 1 },
    settings: {
      type: "object",
      description: "settings of docs/settings.md that are not secret",
      // A pod's disk ends with the pod.
      required: ["ARCHIVE_STORE"],
      properties: { ARCHIVE_STORE: { type: "string", pattern: "^(gs|s3|azure)://" } },
      propertyNames: { not: { enum: SECRETS } },
      additionalProperties: { type: "string" },
    },
    replicas: {
      ...strings(),
      properties: { intake: aNumber, api: aNumber, worker: aNumber },
    },
    autoscaling: {
      ...strings(),
      properties: { isOn, workersMax: aNumber, queueAgeSeconds: { type: "string" } },
    },
    ingress: {
      ...strings(),
      properties: {
        isOn,
        host: { type: "string" },
        className: { type: "string" },
        tlsSecretName: { type: "string" },
      },
    },
    networkPolicy: {
      ...strings(),
      properties: { isOn, ...strings("ingressNamespace", "monitoringNamespace").properties },
    },
    resources: strings("cpu", "memory", "memoryMax", "homeSizeMax"),
  },
};
