import { defineTool } from '../define-tool.ts';

export const links = defineTool({
  name: 'links',
  title: 'Links',
  description:
    'Tracked addresses of affiliates, with their clicks, visitors, leads and conversions. Give affiliates the share_url or the tracking_url. A token is made from the affiliate’s name unless one is given; changing it breaks addresses that were handed out already. archive is for good: the link still redirects but records no more visits.',
  actions: {
    list: 'links.list',
    get: 'links.get',
    create: { procedure: 'links.create', destructive: false, idempotent: false },
    update: { procedure: 'links.update', destructive: false, idempotent: true },
    archive: { procedure: 'links.archive', destructive: true, idempotent: true },
  },
});
