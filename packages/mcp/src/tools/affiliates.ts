import { defineTool } from '../define-tool.ts';

export const affiliates = defineTool({
  name: 'affiliates',
  title: 'Affiliates',
  toolset: 'affiliates',
  description:
    'Find affiliates, who promote campaigns. search: part of a name or email; email, external_id: exact. expand commission_stats: referrals, sales and earnings. page: the affiliate’s page with the portal. applications: who waits for approval, with answers.',
  actions: {
    list: {
      procedure: 'affiliates.list',
      omits: ['psp_customer_id'],
      offers: ['updated_since', 'external_id'],
      columns: ['id', 'email', 'first_name', 'last_name', 'state', 'campaign_id'],
    },
    get: { procedure: 'affiliates.get', page: '/affiliates' },
    applications: {
      procedure: 'applications.list',
      columns: ['affiliate_id', 'email', 'first_name', 'last_name', 'campaign_name', 'answers', 'applied_at'],
    },
    personal_data: { procedure: 'affiliates.personalData' },
    application: { procedure: 'applications.get', renamed: { id: 'affiliate_id' } },
  },
});

export const manageAffiliates = defineTool({
  name: 'manage_affiliates',
  title: 'Manage affiliates',
  toolset: 'affiliates',
  description:
    'Change affiliates. update with state: active approves, disabled or rejected stops earning, suspicious flags new commissions and holds payouts until active. decide answers applications by email. archive: stops earning; update with archived_at null restores. move_links moves the links to the new campaign.',
  openWorld: true,
  actions: {
    create: { procedure: 'affiliates.create', destructive: false, idempotent: false },
    update: { procedure: 'affiliates.update', destructive: true, idempotent: true },
    decide: { procedure: 'applications.decide', destructive: true, idempotent: true },
    archive: { procedure: 'affiliates.archive', destructive: true, idempotent: true },
    erase: { procedure: 'affiliates.erase', destructive: true, idempotent: true },
  },
  notes: { walleta_email: 'PayPal', walletb_email: 'Wise' },
});
