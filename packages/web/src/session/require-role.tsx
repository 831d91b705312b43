import { Outlet } from 'react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { Page } from '../components/page.tsx';
import { type Role, roleAtLeast } from '@affiliate/core/browser';
import { useMember } from './session.tsx';

/** Shows its pages only to members with at least this role. The service enforces the same rule. */
export function RequireRole({ role }: { role: Role }) {
  const member = useMember();
  if (roleAtLeast(member.role, role)) return <Outlet />;
  return (
    <Page title="No access">
      <EmptyState title={`This page requires the ${role} role`}>
        Your role in {member.account.name} is {member.role}. Ask an owner to change it.
      </EmptyState>
    </Page>
  );
}
