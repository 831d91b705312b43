import { useEffect, useState } from 'react';

/**
 * For dialogs that are shown as long as they are mounted: once they are gone, the focus is where it was before. If that is gone too,
 * with the row that was dealt with, it is at the page; whoever moved it elsewhere meanwhile has the last word.
 */
export function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const { activeElement } = document;
      if (activeElement !== null && activeElement !== document.body) return;
      const place = before instanceof HTMLElement && before.isConnected ? before : document.getElementById('main');
      place?.focus({ preventScroll: true });
    },
    [before],
  );
}
