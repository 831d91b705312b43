import { t } from '../texts/search.ts';

interface PageShortcut {
  /** The key to press after G. */
  key: string;
  path: string;
  action: string;
}

const PAGES: PageShortcut[] = [
  { key: 'o', path: '/', action: t.openOverview },
  { key: 'a', path: '/affiliates', action: t.openAffiliates },
  { key: 'n', path: '/analytics', action: t.openAnalytics },
  { key: 'u', path: '/customers', action: t.openCustomers },
  { key: 's', path: '/customers/sales', action: t.openSales },
  { key: 'c', path: '/commissions', action: t.openCommissions },
  { key: 'r', path: '/commissions/review', action: t.openReview },
  { key: 'p', path: '/payouts', action: t.openPayouts },
];

/** Returns the path of the page that this key opens after G. */
export function pageOfKey(key: string): string | undefined {
  return PAGES.find((page) => page.key === key)?.path;
}

/** All shortcuts, each with a text that says what it does. */
export const SHORTCUTS: [keys: string, action: string][] = [
  [t.searchKeys, t.search],
  ['?', t.showShortcuts],
  ...PAGES.map(({ key, action }): [string, string] => [`G ${key.toUpperCase()}`, action]),
];

const NAME = 'single-keys';

/** Returns whether single-key shortcuts are on in this browser. They are on by default. */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(NAME) !== 'off';
}

export function keepSingleKeys(enabled: boolean): void {
  if (enabled) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, 'off');
}
