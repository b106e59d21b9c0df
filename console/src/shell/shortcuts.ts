/** One key per frequent action. Keys are silent while somebody types, and can be turned off. */
import { useEffect, useRef, useState } from "react";

const OFF = "postroom.shortcuts";
const SEQUENCE_MS = 1200;

export const areShortcutsOn = (): boolean => localStorage.getItem(OFF) !== "off";
export const setShortcuts = (on: boolean): void =>
  on ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "off");

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** A dialog has its own keys: those of the page behind it could answer a question that nobody sees. */
const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("[role=dialog]") !== null;

/** Whether the key is held down; a window that loses the focus hears no key go up. */
export function useHeld(key: string): boolean {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key === key && isPlain && !isTyping(event.target) && areShortcutsOn())
        setHeld(true);
    };
    const up = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key === key) setHeld(false);
    };
    window.addEventListener("keydown", down);
    window.addEventListener("keyup", up);
    window.addEventListener("blur", up);
    return () => {
      window.removeEventListener("keydown", down);
      window.removeEventListener("keyup", up);
      window.removeEventListener("blur", up);
    };
  }, [key]);
  return isHeld;
}

/** `g e` is two keys one after the other; `ctrl+k` also works while typing. */
export function useShortcuts(
  actions: Readonly<Record<string, (event: KeyboardEvent) => void>>,
): void {
  const current = useRef(actions);
  current.current = actions;
  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    const onKey = (event: KeyboardEvent) => {
      const withControl = event.ctrlKey || event.metaKey;
      // A key that is held down counts once: it would answer one question after the other.
      if (event.altKey || event.defaultPrevented || event.repeat) return;
      const key = withControl ? `ctrl+${event.key.toLowerCase()}` : event.key;
      if (!withControl && (isTyping(event.target) || isInDialog(event.target))) return;
      if (!withControl && !areShortcutsOn()) return;
      const isSecond = first !== null && event.timeStamp - first.at < SEQUENCE_MS;
      const action =
        (isSecond ? current.current[`${first!.key} ${key}`] : undefined) ?? current.current[key];
      first = action === undefined ? { key, at: event.timeStamp } : null;
      if (action === undefined) return;
      event.preventDefault();
      action(event);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
