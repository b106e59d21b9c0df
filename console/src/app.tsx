/** Shows the sign-in page, the console, or both if the session has expired. */
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { queryClient, retryAll } from "./data/query.ts";
import { Retry } from "./design/feedback.tsx";
import { router } from "./routes.tsx";
import { useSession } from "./session/session.ts";
import { SignIn } from "./session/sign-in.tsx";

export function App() {
  const session = useSession();
  return (
    <QueryClientProvider client={queryClient}>
      {session.kind === "out" ? (
        <SignIn />
      ) : (
        <Retry value={retryAll}>
          <RouterProvider router={router} />
          {session.kind === "expired" && <SignIn isOver />}
        </Retry>
      )}
    </QueryClientProvider>
  );
}
