import type { Clock } from "../lib/clock.ts";
import { askUsage, canReadProc, readUsage, type Usage } from "./process-usage.ts";

export interface UsageCaps {
  wallMs: number;
  cpuMs: number;
  rssBytes: number;
}

export type Excess = "wall" | "cpu" | "rss";

/** Watches a process until it exceeds a cap or the watch is stopped. */
export interface UsageWatch {
  exceeded: Promise<Excess>;
  peakRssBytes(): number;
  stop(): void;
}

const PAUSE_MS = canReadProc ? 10 : 250;

export function watchUsage(pid: number, caps: UsageCaps, clock: Clock): UsageWatch {
  const startedMs = clock.now();
  let cpuAtStartMs: number | null = null;
  let peakRssBytes = 0;
  let isStopped = false;
  let cancel = () => {};

  const excessOf = (usage: Usage | null): Excess | null => {
    if (clock.now() - startedMs > caps.wallMs) return "wall";
    if (usage === null) return null;
    cpuAtStartMs ??= usage.cpuMs;
    peakRssBytes = Math.max(peakRssBytes, usage.rssBytes);
    if (usage.rssBytes > caps.rssBytes) return "rss";
    return usage.cpuMs - cpuAtStartMs > caps.cpuMs ? "cpu" : null;
  };

  const exceeded = new Promise<Excess>((resolve) => {
    const look = async () => {
      if (isStopped) return;
      const excess = excessOf(await usageOf(pid));
      if (excess !== null) resolve(excess);
      else if (!isStopped) cancel = clock.after(PAUSE_MS, () => void look());
    };
    void look();
  });

  return {
    exceeded,
    peakRssBytes: () => peakRssBytes,
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

export async function usageOf(pid: number): Promise<Usage | null> {
  return canReadProc ? readUsage(pid) : await askUsage(pid);
}
