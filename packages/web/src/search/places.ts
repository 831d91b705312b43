import { type Resource, type Role, roleAtLeast, roleMay } from '@affiliate/core/browser';
import { ACT } from '../components/act.ts';
import { isFoundBy, isOpenTo, PROGRAM, SETTINGS } from '../layout/navigation.ts';
import { t } from '../texts/search.ts';

/** A page or an act, as the search finds it. */
export interface Place {
  path: string;
  label: string;
  /** Further words by which the search finds it. */
  words?: string;
}

interface Subpage extends Place {
  role?: Role;
}

/** Pages that other pages link to, and that no navigation names. */
const SUBPAGES: readonly Subpage[] = [
  { path: '/affiliates/applications', label: t.applications },
  { path: '/customers/referrals', label: t.referrals },
  { path: '/customers/sales', label: t.sales },
  { path: '/commissions/review', label: t.needsReview },
  { path: '/payouts/payments', label: t.payments },
  { path: '/payouts/exports', label: t.payoutExports },
  { path: '/payouts/runs', label: t.payoutRuns },
  { path: '/settings/webhooks/deliveries', label: t.deliveries, role: 'admin' },
  { path: '/settings/api-keys/requests', label: t.apiLog, role: 'admin' },
  { path: '/settings/outbox', label: t.outbox, role: 'admin' },
];

interface Act extends Place {
  /** The records that the act writes. */
  of: Resource;
  liveOnly?: true;
}

/** Returns an act whose dialog the page opens by its address (`useAct`). */
function act(page: string, name: string, label: string, of: Resource): Act {
  return { path: `${page}?${ACT}=${name}`, label, of, words: t.actWords };
}

const ACTS: readonly Act[] = [
  act('/affiliates', 'add', t.addAffiliate, 'affiliates'),
  act('/affiliates', 'invite', t.inviteAffiliate, 'invitations'),
  act('/affiliates', 'share', t.shareSignUpLink, 'invitations'),
  act('/campaigns', 'add', t.addCampaign, 'campaigns'),
  act('/payouts', 'payments', t.preparePayments, 'payouts'),
  act('/payouts', 'export', t.exportPayouts, 'payouts'),
  act('/payouts', 'run', t.createPayoutRun, 'payouts'),
  act('/settings/api-keys', 'create', t.createApiKey, 'api_keys'),
  act('/settings/webhooks', 'add', t.addWebhookEndpoint, 'webhooks'),
  act('/settings/imports', 'begin', t.startImport, 'imports'),
  { ...act('/settings/connectors', 'create', t.createConnector, 'connectors'), liveOnly: true },
  { ...act('/settings/members', 'invite', t.inviteMember, 'invitations'), liveOnly: true },
];

/** Returns the pages that a query finds, and the acts. Leaves out those that the person may not open or do. */
export function placesFor(query: string, role: Role, account: { livemode: boolean }): Record<'pages' | 'acts', Place[]> {
  const main = [...PROGRAM, ...SETTINGS.flatMap(({ destinations }) => destinations)];
  const open: Place[] = [
    ...main.filter((page) => isOpenTo(page, role, account)),
    ...SUBPAGES.filter((page) => roleAtLeast(role, page.role ?? 'viewer')),
  ];
  const allowed = ACTS.filter(({ of, liveOnly }) => roleMay(role, of, 'write') && (account.livemode || !liveOnly));
  return {
    pages: open.filter((page) => isFoundBy(page, query)),
    acts: allowed.filter((each) => isFoundBy(each, query)),
  };
}
