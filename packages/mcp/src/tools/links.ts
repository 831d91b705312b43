import { defineTool } from '../define-tool.ts';

export const links = defineTool({
  name: 'links',
  title: 'Links',
  description:
    'Manage the tracked links of affiliates, with their clicks, visitors, leads, and conversions. Give affiliates the share_url or the tracking_url. The token defaults to one generated from the affiliate’s name; changing it breaks URLs already in use. archive: the link still redirects but stops recording visits; update with archived_at null restores it.',
  actions: {
    list: 'links.list',
    get: 'links.get',
    create: { procedure: 'links.create', destructive: false, idempotent: false },
    update: { procedure: 'links.update', destructive: false, idempotent: true },
    archive: { procedure: 'links.archive', destructive: true, idempotent: true },
  },
});
