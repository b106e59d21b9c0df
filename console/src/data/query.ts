/** The cache of answers. What failed because the server was silent is asked again when it answers. */
import { QueryClient } from "@tanstack/react-query";
import { ApiProblem } from "./api.ts";
import { onReturn } from "./connection.ts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Asks also if the browser believes that it is offline: only the server's silence is proof, and it is shown.
      networkMode: "always",
      staleTime: 5_000,
      retry: (count, error) =>
        error instanceof ApiProblem && (error.status === 0 || error.status >= 500) && count < 2,
      refetchOnWindowFocus: true,
    },
  },
});

/** For a reader who no longer waits: what is under way is given up, which a new try alone would not do. */
export function retryAll(): void {
  const waiting = { type: "active", fetchStatus: "fetching" } as const;
  void queryClient
    .cancelQueries(waiting)
    .then(() => queryClient.refetchQueries({ type: "active" }));
}

onReturn(() => void queryClient.invalidateQueries());
