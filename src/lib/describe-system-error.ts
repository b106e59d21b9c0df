/** What the operating system refused, in words and with the name of the file. */
const WORDS_OF_ERRNO: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "you have no permission",
  EPERM: "you have no permission",
  EISDIR: "it is a folder, not a file",
  ENOTDIR: "part of the path is not a folder",
  EEXIST: "it already exists",
  ENOSPC: "the disk is full",
};

export function describeSystemError(error: NodeJS.ErrnoException & { port?: number }): string {
  const { code = "", path, message, port } = error;
  if (code === "EADDRINUSE")
    return `port ${port} is in use; set PORT to another port, or stop the process that uses it`;
  const words = WORDS_OF_ERRNO[code];
  if (words !== undefined && path !== undefined) return `${path}: ${words}`;
  return message ?? String(error);
}
