import type { RouteTable } from "../call/route-table.ts";
import type { DeltaWorld } from "./delta-start.ts";
import { folderDelta } from "./folder-delta.ts";
import { messageDelta } from "./message-delta.ts";

const LINKS = ["$deltatoken", "$skiptoken"];
const MESSAGE_OPTIONS = ["$select", "$top", "$expand", "$filter", "$orderby", "changeType"];

export function addDeltaRoutes(routes: RouteTable, world: DeltaWorld): void {
  routes.on("GET", "/users/{user}/mailFolders/delta", (call) => folderDelta(world, call), [
    "$select",
    ...LINKS,
  ]);
  routes.on(
    "GET",
    "/users/{user}/mailFolders/{folder}/messages/delta",
    (call) => messageDelta(world, call),
    [...MESSAGE_OPTIONS, ...LINKS],
  );
}
