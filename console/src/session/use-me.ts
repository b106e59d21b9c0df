import { type Me, useSession } from "./session.ts";

const NOBODY: Me = { id: "", name: null, role: null };

export function useMe(): Me {
  const session = useSession();
  return session.kind === "out" ? NOBODY : session.me;
}
