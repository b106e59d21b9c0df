/** Search and questions. What comes back is text from outside and is shown as text. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../../src/client/index.ts";
import { ask, tell } from "./api.ts";

export type SearchResults = Schemas["SearchResults"];
export type FoundDocument = Schemas["FoundDocument"];
export type FoundPassage = Schemas["FoundPassage"];
export type Answer = Schemas["AskAnswer"];
export type Citation = Answer["citations"][number];

/** Names are the API's, and so are the names in the URL. */
export const SEARCH_FILTERS = ["kind", "parent", "sender", "mailbox", "from", "to"] as const;
export type SearchFilter = { readonly [name in (typeof SEARCH_FILTERS)[number]]?: string };

export function useSearchResults(q: string, filter: SearchFilter) {
  return useInfiniteQuery({
    queryKey: ["search", q, filter],
    enabled: q !== "",
    queryFn: ({ signal, pageParam }) =>
      ask<SearchResults>("/api/search", { q, ...filter, cursor: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    staleTime: 30_000,
  });
}

/** A question may cost money: the same one is asked again only if somebody wants that. */
export function useAnswer(question: string, filter: SearchFilter) {
  return useQuery({
    queryKey: ["ask", question, filter],
    enabled: question.length >= QUESTION_MIN,
    queryFn: () => tell<Answer>("POST", "/api/ask", { question, ...filter }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  });
}

/** The server refuses shorter ones. */
export const QUESTION_MIN = 3;
