/** Light or dark: the system's choice until the reader makes one, which the browser remembers. */
export type Theme = "system" | "light" | "dark";

const KEY = "postroom.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  apply();
}

/** Called once before the first paint, so that the page never flashes in the other theme. */
export function startTheme(): void {
  apply();
  dark.addEventListener("change", apply);
}

function apply(): void {
  const theme = chosenTheme();
  const isDark = theme === "dark" || (theme === "system" && dark.matches);
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
}
