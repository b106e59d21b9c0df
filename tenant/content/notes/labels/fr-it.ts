import type { Labels } from "../labels.ts";
import { ENGLISH } from "./de-en.ts";
export const FRENCH: Labels = ENGLISH;
export const ITALIAN: Labels = ENGLISH;
