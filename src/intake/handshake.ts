const TOKEN_LENGTH_MAX = 4_096;

/**
 * The validation token in a request's address. Graph encodes blanks as `+`, which only form decoding
 * undoes. A token is echoed as text, so one with control characters, a second one, or one inside an
 * array is refused.
 */
export function handshakeToken(url: string): { readonly text: string } | "none" | "bad" {
  const at = url.indexOf("?");
  if (at < 0) return "none";
  const query = new URLSearchParams(url.slice(at + 1));
  const names = [...query.keys()].filter((name) => /^validationToken/i.test(name));
  if (names.length === 0) return "none";
  const text = query.get("validationToken");
  const isGood =
    names.length === 1 &&
    text !== null &&
    text.length <= TOKEN_LENGTH_MAX &&
    !/[\u0000-\u001f\u007f]/.test(text);
  return isGood ? { text } : "bad";
}
