import { defineTools } from '../define-tool.ts';

export const INVITATIONS = defineTools('team', [
  {
    name: 'invitations',
    title: 'Invitations',
    description: 'Read invitations to join the account’s team (kind member) or to become an affiliate (kind affiliate).',
    actions: {
      list: {
        procedure: 'invitations.list',
        omits: ['email'],
        columns: ['id', 'kind', 'email', 'role', 'campaign_id', 'status', 'expires_at'],
      },
      get: 'invitations.get',
    },
  },
  {
    name: 'manage_invitations',
    title: 'Manage invitations',
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
  },
]);

export const TEAM = defineTools('team', [
  {
    name: 'team',
    title: 'Team and audit log',
    description:
      'members: who may sign in to the account, with role. audit_log: who changed what and when, newest first; pass next_before as before to continue.',
    actions: {
      members: { procedure: 'members.list', columns: ['user_id', 'name', 'email', 'role', 'has_second_factor'] },
      audit_log: {
        procedure: 'auditLog.browse',
        columns: ['created_at', 'caller_name', 'caller_kind', 'tool', 'action', 'preview', 'outcome', 'arguments'],
      },
    },
  },
  {
    name: 'manage_team',
    title: 'Manage team',
    description: 'change_role gives a member another role. Members are removed only in Settings.',
    actions: { change_role: { procedure: 'members.updateRole', destructive: true, idempotent: true } },
  },
]);
