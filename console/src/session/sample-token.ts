/** One of the made-up people of the local tenant, as whom anybody may sign in. */
export interface SamplePerson {
  readonly id: string;
  readonly name: string;
}

interface GivenToken {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/** Keeps a token in memory and gets the next one a minute before it ends. */
export function keepToken(get: () => Promise<GivenToken>): () => Promise<string> {
  let held = { token: "", endsAt: 0 };
  return async () => {
    if (held.endsAt > Date.now()) return held.token;
    const { token, expiresInSeconds } = await get();
    held = { token, endsAt: Date.now() + (expiresInSeconds - 60) * 1_000 };
    return token;
  };
}
