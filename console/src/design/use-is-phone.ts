import { useSyncExternalStore } from "react";

const phoneMedia = matchMedia("(max-width: 767px)");

export function useIsPhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      phoneMedia.addEventListener("change", listener);
      return () => phoneMedia.removeEventListener("change", listener);
    },
    () => phoneMedia.matches,
  );
}
