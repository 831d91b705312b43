import { defineTool } from '../define-tool.ts';

export const invitations = defineTool({
  name: 'invitations',
  title: 'Invitations',
  description:
    'Invite people by email to join the account’s team (kind member, with a role) or to become an affiliate (kind affiliate, with a campaign_id). create and resend send email when dry_run is false: check the address first. The link can be used once within seven days; resend replaces it, at most once a minute. change sets the role of a pending invitation. revoke ends it and keeps the record; delete removes the record. Only the invited person can accept.',
  openWorld: true,
  actions: {
    list: 'invitations.list',
    get: 'invitations.get',
    create: {
      procedure: 'invitations.create',
      takes: ['kind', 'email', 'role', 'campaign_id'],
      destructive: false,
      idempotent: false,
    },
    change: { procedure: 'invitations.update', takes: ['id', 'role'], destructive: false, idempotent: true },
    revoke: {
      procedure: 'invitations.update',
      takes: ['id'],
      fixed: { invitation_action: 'revoke' },
      destructive: true,
      idempotent: true,
    },
    resend: { procedure: 'invitations.resend', takes: ['id'], destructive: true, idempotent: false },
    delete: { procedure: 'invitations.delete', takes: ['id'], destructive: true, idempotent: true },
  },
});
