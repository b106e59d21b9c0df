// For the health check of a container that has no curl: ends with 0 if the server in it is alive.
const url = `http://127.0.0.1:${process.env.PORT ?? 8010}/healthz`;
const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => null);
process.exit(answer?.ok === true ? 0 : 1);
