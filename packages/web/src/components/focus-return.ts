import { useEffect, useState } from 'react';

/**
 * Returns the focus to the previous element when a dialog unmounts, or to the page if that element is gone. Does nothing if the
 * focus has moved elsewhere in the meantime.
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
