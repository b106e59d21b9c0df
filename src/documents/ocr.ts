import type { Reading } from "./reading.ts";

/** Reads pages that are pictures. */
export interface Ocr {
  /** Null when it finds no text either. */
  read(bytes: Uint8Array, signal?: AbortSignal): Promise<Reading | null>;
}
