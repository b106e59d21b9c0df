/** `y` and its button: a copy changes nothing that is seen, so that the page says it. */
import { useEffect, useState } from "react";
import { Toast } from "../design/toast.tsx";

const SHOWN_MS = 2_000;
const listeners = new Set<() => void>();

export function copyLink(): void {
  void navigator.clipboard.writeText(location.href).then(() => {
    for (const listener of listeners) listener();
  });
}

export function CopiedToast() {
  const [copies, setCopies] = useState(0);
  useEffect(() => {
    const count = () => setCopies((before) => before + 1);
    listeners.add(count);
    return () => void listeners.delete(count);
  }, []);
  useEffect(() => {
    if (copies === 0) return;
    const timer = setTimeout(() => setCopies(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copies]);
  if (copies === 0) return null;
  return <Toast onClose={() => setCopies(0)}>Link copied.</Toast>;
}
