import { type EarlyCall, callEarly } from './api/early-calls.ts';
import { CAMPAIGN_CHOICES, LISTS, type ListName } from './lists/lists.ts';

interface View {
  calls: readonly EarlyCall[];
  code: () => Promise<unknown>;
}

/** Returns the request that a list page makes when its address sets no page, order or filters. */
function listed(name: ListName): EarlyCall {
  const { sort, expand } = LISTS[name];
  return [`${name}.list`, { page: 1, sort: `-${sort}`, ...(expand && { expand }) }];
}

const CAMPAIGNS: EarlyCall = ['campaigns.list', CAMPAIGN_CHOICES];

/** The pages on which most visits start, with their first requests and their code. */
const VIEWS: Record<string, View> = {
  '/': { calls: [['overview.get', {}]], code: () => import('./overview/overview-page.tsx') },
  '/affiliates': { calls: [listed('affiliates'), CAMPAIGNS], code: () => import('./affiliates/affiliates-page.tsx') },
  '/commissions': { calls: [listed('commissions'), CAMPAIGNS], code: () => import('./commissions/commissions-page.tsx') },
  '/customers': { calls: [listed('customers')], code: () => import('./customers/customers-page.tsx') },
  '/customers/referrals': { calls: [listed('referrals')], code: () => import('./customers/referrals-page.tsx') },
  '/customers/sales': { calls: [listed('sales')], code: () => import('./customers/sales-page.tsx') },
  '/payouts': { calls: [listed('payouts')], code: () => import('./payouts/payouts-page.tsx') },
};

const { pathname, search } = window.location;
const view = Object.hasOwn(VIEWS, pathname) ? VIEWS[pathname] : undefined;

/** Requests the session and, if the address has no query string, the first data of the page at this address. */
export function askForFirstView(): void {
  callEarly([['session.get'], ...(view && search === '' ? view.calls : [])]);
}

/**
 * Starts to load the code of the page at this address, in parallel with the application. Call it after the texts are loaded. If the code cannot be
 * loaded, the page itself shows the error.
 */
export function loadFirstView(): void {
  view?.code().catch(() => undefined);
}
