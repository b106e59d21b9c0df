import type { Labels } from "../labels.ts";
import { ENGLISH } from "./de-en.ts";
export const SPANISH: Labels = ENGLISH;
export const DUTCH: Labels = ENGLISH;
