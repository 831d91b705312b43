import { MERCHANT_DATA, defineTool } from '../define-tool.ts';

export const links = defineTool({
  name: 'links',
  title: 'Links',
  toolset: 'affiliates',
  description: 'Read the tracked links of affiliates with their counts. Give affiliates the copy_url.',
  actions: {
    list: {
      procedure: 'links.list',
      columns: ['id', 'affiliate_id', 'url', 'copy_url', 'clicks', 'leads', 'conversions'],
    },
    get: 'links.get',
  },
});

export const manageLinks = defineTool({
  name: 'manage_links',
  title: 'Manage links',
  toolset: 'affiliates',
  description:
    'Change tracked links. A new token breaks URLs in use. archive: the link redirects without recording visits; update with archived_at null restores.',
  actions: {
    create: { procedure: 'links.create', omits: MERCHANT_DATA, destructive: false, idempotent: false },
    update: { procedure: 'links.update', omits: MERCHANT_DATA, destructive: true, idempotent: true },
    archive: { procedure: 'links.archive', destructive: true, idempotent: true },
  },
});
