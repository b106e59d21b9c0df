import type { Labels } from "../labels.ts";
import { ENGLISH } from "./de-en.ts";
export const DANISH: Labels = ENGLISH;
export const PORTUGUESE: Labels = ENGLISH;
export const SWEDISH: Labels = ENGLISH;
