import { type EarlyCall, callEarly } from './api/early-calls.ts';
import { CAMPAIGN_CHOICES, LISTS, type ListName } from './lists/lists.ts';

interface View {
  calls: readonly EarlyCall[];
  code: () => Promise<unknown>;
}

/** The list as its page asks for it when the address says nothing about page, order and filters. */
function listed(name: ListName): EarlyCall {
  const { sort, expand } = LISTS[name];
  return [`${name}.list`, { page: 1, sort: `-${sort}`, ...(expand && { expand }) }];
}

const CAMPAIGNS: EarlyCall = ['campaigns.list', CAMPAIGN_CHOICES];

/** The page on which most visits begin. */
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

/** Asks for the session, and for the data that the page at this address begins with. */
export function askForFirstView(): void {
  callEarly([['session.get'], ...(view && search === '' ? view.calls : [])]);
}

/** Loads the code of the page at this address beside the application. Only after the texts; the page itself reports a failure. */
export function loadFirstView(): void {
  view?.code().catch(() => undefined);
}
