import { Outlet } from 'react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { Page } from '../components/page.tsx';
import { type Role, roleAtLeast } from '@affiliate/core/browser';
import { useMember } from './session.tsx';

/** Pages whose every call the service would refuse to a weaker role. */
export function RequireRole({ role }: { role: Role }) {
  const member = useMember();
  if (roleAtLeast(member.role, role)) return <Outlet />;
  return (
    <Page title="No access">
      <EmptyState title={`This page is for the role ${role}`}>
        You are {member.role} of {member.account.name}. An owner can give you another role.
      </EmptyState>
    </Page>
  );
}
