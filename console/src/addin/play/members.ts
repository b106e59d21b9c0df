/** The stand-in for Office.js throws on names that Office.js lacks, so that a misspelt or invented member fails here and not only in Outlook. */
import members from "./members.json";

/** The object, but a name that Office.js does not have is an error. The names come from Microsoft's types. */
export function strict<T extends object>(kind: keyof typeof members, object: T): T {
  const known = new Set(members[kind].split(" "));
  const check = (name: string | symbol, ...more: readonly string[]) => {
    if (typeof name === "string" && !known.has(name) && !more.includes(name))
      throw new TypeError(`Office.js has no member ${name} of ${kind}`);
  };
  return new Proxy(object, {
    get(target, name, receiver) {
      check(name, "then"); // of a value that is awaited
      return Reflect.get(target, name, receiver);
    },
    has(target, name) {
      check(name);
      return Reflect.has(target, name);
    },
  });
}
