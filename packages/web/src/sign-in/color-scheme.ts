/** The key under which the component library keeps the choice of the button for light and dark mode. */
const NAME = 'mantine-color-scheme-value';

/** The chosen color scheme; the system's if none was chosen. */
export function applyColorScheme(): void {
  const chosen = localStorage.getItem(NAME);
  if (chosen === 'light' || chosen === 'dark') document.documentElement.style.colorScheme = chosen;
}
