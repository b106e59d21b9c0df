/** Mail and uploads as documents: on a drive, and recorded in Dataverse. */
import { Counter } from "prom-client";
import type { DocumentSettings } from "../config.ts";
import { type Actors, createActors } from "../documents/actors.ts";
import type { FileNeeds } from "../documents/file-document.ts";
import { registerFilingMetrics } from "../documents/filing-metrics.ts";
import { createMemoryCache, openRedisCache } from "../documents/nav-cache.ts";
import type { NavCache } from "../documents/navmap.ts";
import { createSeal } from "../lib/seal.ts";
import type { Closers, Foundation } from "./foundation.ts";

export interface Documents {
  readonly settings: DocumentSettings;
  readonly actors: Actors;
  readonly filing: FileNeeds;
  readonly navCache: NavCache;
}

/** Null where documents are not set up. */
export function createDocuments(base: Foundation, closers: Closers): Documents | null {
  const { database, random, config, metrics } = base;
  const settings = config.documents;
  if (settings === null) return null;
  const actors = createActors(settings, base);
  closers.push(actors.close);
  registerFilingMetrics(metrics, database);
  const filed = new Counter({
    name: "postroom_documents_filed_total",
    help: "Documents whose file and record stand, by how they came",
    labelNames: ["source"],
    registers: [metrics],
  });
  const filing: FileNeeds = {
    database,
    sessions: actors.sessions,
    seal: createSeal(settings.clientSecret.reveal(), random),
    onFiled: ({ source }) => filed.inc({ source }),
  };
  return { settings, actors, filing, navCache: openNavCache(base, closers) };
}

function openNavCache({ config, clock, log }: Foundation, closers: Closers): NavCache {
  if (config.redisUrl === null) return createMemoryCache(clock);
  const cache = openRedisCache({ address: config.redisUrl.reveal(), clock, log });
  closers.push(cache.close);
  return cache;
}
