import { type Role, roleAtLeast } from '@affiliate/core/browser';
import { Outlet } from 'react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { Page } from '../components/page.tsx';
import { t } from '../texts/session.ts';
import { useMember } from './session.tsx';

/** Shows its pages only to members with at least this role. The service enforces the same rule. */
export function RequireRole({ role }: { role: Role }) {
  const member = useMember();
  if (roleAtLeast(member.role, role)) return <Outlet />;
  return (
    <Page title={t.noAccess}>
      <EmptyState title={t.requiresRole({ role })}>
        {t.askForRole({ account: member.account.name, role: member.role })}
      </EmptyState>
    </Page>
  );
}
