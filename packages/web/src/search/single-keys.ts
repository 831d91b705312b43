const NAME = 'single-keys';

/** Tells whether shortcuts of single keys are on, as they are until somebody switches them off in this browser. */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(NAME) !== 'off';
}

export function keepSingleKeys(enabled: boolean): void {
  if (enabled) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, 'off');
}
