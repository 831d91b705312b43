import { defineTool } from '../define-tool.ts';

export const invitations = defineTool({
  name: 'invitations',
  title: 'Invitations',
  toolset: 'team',
  description: 'Read invitations to join the account’s team (kind member) or to become an affiliate (kind affiliate).',
  actions: {
    list: {
      procedure: 'invitations.list',
      omits: ['email'],
      columns: ['id', 'kind', 'email', 'role', 'campaign_id', 'status', 'expires_at'],
    },
    get: 'invitations.get',
  },
});

export const manageInvitations = defineTool({
  name: 'manage_invitations',
  title: 'Manage invitations',
  toolset: 'team',
  description:
    'create and resend send email: check the address first. Members need a role, affiliates a campaign_id. A link works once, for seven days; resend replaces it, at most once a minute. revoke keeps the record, delete removes it.',
  openWorld: true,
  actions: {
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
