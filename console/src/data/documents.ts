/** One document: its filing, its record, its bytes. */
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../../src/client/index.ts";
import { ask, request } from "./api.ts";

export interface DocumentView {
  readonly document: Schemas["Document"] | null;
  readonly record: Schemas["DocumentRecord"] | null;
}

export function useDocument(id: string) {
  return useQuery({
    queryKey: ["documents", id],
    queryFn: ({ signal }) => ask<DocumentView>(`/api/documents/${id}`, {}, signal),
  });
}

/** The bytes as they are in the drive; only asked for if the console can draw them. */
export function useContent(id: string) {
  return useQuery({
    queryKey: ["content", id],
    queryFn: async ({ signal }) =>
      (await request("GET", `/api/documents/${id}/content`, { signal })).arrayBuffer(),
    staleTime: 60_000,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

export function useOfficeLinks(id: string) {
  return useQuery({
    queryKey: ["office", id],
    queryFn: ({ signal }) => ask<{ officeUrl: string }>(`/api/documents/${id}/office`, {}, signal),
    staleTime: 300_000,
  });
}

/** One part of what is shown beside a document. Each is asked for separately: one that fails leaves the others. */
function usePart<T>(id: string, part: string) {
  return useQuery({
    queryKey: ["documents", id, part],
    queryFn: ({ signal }) => ask<T>(`/api/documents/${id}/${part}`, {}, signal),
  });
}

export type DocumentVersion = Schemas["DocumentVersion"];
export type DocumentReader = Schemas["DocumentReader"];
export type DocumentStep = Schemas["DocumentStep"];

export interface DocumentProfile {
  readonly summary: string | null;
  readonly tldr: string | null;
  readonly keywords: string | null;
  readonly documentType: string | null;
  readonly summarizedAt: string | null;
}

export const useVersions = (id: string) => usePart<{ versions: DocumentVersion[] }>(id, "versions");
export const useReaders = (id: string) =>
  usePart<{ recordOwner: string | null; readers: DocumentReader[] }>(id, "readers");
export const useHistory = (id: string) => usePart<{ steps: DocumentStep[] }>(id, "history");
export const useProfile = (id: string) => usePart<DocumentProfile>(id, "profile");
