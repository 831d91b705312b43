const NAME = 'single-keys';

/** Returns whether single-key shortcuts are on in this browser. They are on by default. */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(NAME) !== 'off';
}

export function keepSingleKeys(enabled: boolean): void {
  if (enabled) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, 'off');
}
