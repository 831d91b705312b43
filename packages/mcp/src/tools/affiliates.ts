import { RANGES, defineTool } from '../define-tool.ts';

export const affiliates = defineTool({
  name: 'affiliates',
  title: 'Affiliates',
  description:
    'Manage affiliates, the partners who promote campaigns. update with state: active approves the affiliate, disabled or rejected stops earning, suspicious also puts payouts on hold. list finds an affiliate by email or external_id (exact match), or by search. expand commission_stats adds referrals, sales, and earnings. portal_link returns a URL that opens the affiliate’s portal once, within 60 seconds; embed_token returns a token for /embed.js, valid for an hour. archive: the affiliate stops earning; update with archived_at null restores it.',
  actions: {
    list: { procedure: 'affiliates.list', omits: RANGES },
    get: 'affiliates.get',
    create: { procedure: 'affiliates.create', destructive: false, idempotent: false },
    update: { procedure: 'affiliates.update', destructive: false, idempotent: true },
    portal_link: { procedure: 'affiliates.createPortalLink', destructive: false, idempotent: false },
    embed_token: { procedure: 'affiliates.createEmbedToken', destructive: false, idempotent: false },
    archive: { procedure: 'affiliates.archive', destructive: true, idempotent: true },
  },
});
