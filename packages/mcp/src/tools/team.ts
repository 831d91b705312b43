import { defineTool } from '../define-tool.ts';

export const team = defineTool({
  name: 'team',
  title: 'Team and audit log',
  toolset: 'team',
  description:
    'members: who may sign in to the account, with role. audit_log: who changed what and when, newest first; pass next_before as before to continue.',
  actions: {
    members: { procedure: 'members.list', columns: ['user_id', 'name', 'email', 'role', 'has_second_factor'] },
    audit_log: {
      procedure: 'auditLog.browse',
      columns: ['created_at', 'caller_name', 'caller_kind', 'tool', 'action', 'preview', 'outcome', 'arguments'],
    },
  },
});

export const manageTeam = defineTool({
  name: 'manage_team',
  title: 'Manage team',
  toolset: 'team',
  description: 'change_role gives a member another role. Members are removed only in Settings.',
  actions: { change_role: { procedure: 'members.updateRole', destructive: true, idempotent: true } },
});
