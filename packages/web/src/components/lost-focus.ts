/** Places to which the focus moves, from the inside out, when the focused element is gone. */
const PLACES = 'section,form,main';

/**
 * Moves the focus to the nearest place that is left when the focused element is removed, e.g. with the form that was sent. Otherwise it would fall to the
 * body, and the keyboard and screen readers would start again at the top of the page. Dialogs return the focus themselves. Call it once per document.
 */
export function keepFocus(): void {
  let left: Element[] = [];
  document.addEventListener('focusin', ({ target }) => {
    left = [];
    for (let place = target as Element | null; place; place = place.parentElement) left.push(place);
    if (left.some((element) => element.role === 'dialog')) left = [];
  });
  new MutationObserver(() => {
    const [focused] = left;
    if (!focused || focused.isConnected || (document.activeElement ?? document.body) !== document.body) return;
    const place = left.find((element) => element.isConnected && element.matches(PLACES)) ?? document.querySelector('main');
    left = [];
    if (!(place instanceof HTMLElement)) return;
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}
