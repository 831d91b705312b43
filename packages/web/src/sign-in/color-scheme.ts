/** The key under which the component library stores whether the user has chosen the light or the dark color scheme. */
const NAME = 'mantine-color-scheme-value';

/** Applies the color scheme that the user has chosen. Without a choice, the browser uses the system's. */
export function applyColorScheme(): void {
  const chosen = localStorage.getItem(NAME);
  if (chosen === 'light' || chosen === 'dark') document.documentElement.style.colorScheme = chosen;
}
