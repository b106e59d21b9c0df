import { statfs } from "node:fs/promises";
import { Gauge, type Registry } from "prom-client";

/** How much room the home folder has, read whenever the metrics are. */
export function registerDiskMetrics(registry: Registry, folder: string): void {
  new Gauge({
    name: "postroom_disk_free_ratio",
    help: "Free share of the file system with the home folder, 0 to 1",
    registers: [registry],
    async collect() {
      const { bavail, blocks } = await statfs(folder);
      this.set(blocks === 0 ? 0 : bavail / blocks);
    },
  });
}
