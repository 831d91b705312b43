import { defineTool } from '../define-tool.ts';

export const links = defineTool({
  name: 'links',
  title: 'Links',
  description:
    'Manage the tracked links of affiliates and their counts. Give affiliates the share_url or the tracking_url. Changing the token breaks URLs already in use. archive: the link redirects without recording visits; update with archived_at null restores it.',
  actions: {
    list: { procedure: 'links.list', omits: ['archived'] },
    get: 'links.get',
    create: { procedure: 'links.create', destructive: false, idempotent: false },
    update: { procedure: 'links.update', destructive: false, idempotent: true },
    archive: { procedure: 'links.archive', destructive: true, idempotent: true },
  },
});
