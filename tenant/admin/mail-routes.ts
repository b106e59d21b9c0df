import type { TenantContext } from "../context.ts";
import type { LoadedParts } from "../parts.ts";
import type { AddRoute } from "./admin-call.ts";

/** Mail as its people handle it: arriving, moved, read, flagged, deleted. */
export function addMailRoutes(_on: AddRoute, _context: TenantContext, _parts: LoadedParts): void {}
