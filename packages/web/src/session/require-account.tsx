import { type Role, roleAtLeast } from '@affiliate/core/browser';
import { Center, Stack, Text, Title } from '@mantine/core';
import { Outlet, useLocation } from 'react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { Loading } from '../components/loading.tsx';
import { Page } from '../components/page.tsx';
import { rarePart } from '../on-demand.tsx';
import { t } from '../texts/session.ts';
import { LeavePage } from './leave-page.tsx';
import { useMember, useSession } from './session.tsx';
import { SignInFirst } from './sign-in-first.tsx';
import { SignOutButton } from './sign-out-button.tsx';

const SecondFactorFirst = rarePart(async () => (await import('./second-factor-first.tsx')).SecondFactorFirst, <Loading />);

/** Shows its pages only to a signed-in user who is a member of an account and has the second factor that the account requires. */
export function RequireAccount() {
  const session = useSession();
  const location = useLocation();
  if (!session) return <SignInFirst from={location.pathname + location.search} />;
  if (session.account?.lacks_second_factor) return <SecondFactorFirst />;
  if (session.account) return <Outlet />;
  if (session.affiliations.length > 0) return <LeavePage to="/portal" />;
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack maw={420}>
        <Title order={1}>{t.noAccount}</Title>
        <Text>{t.askForInvitation({ email: session.user.email })}</Text>
        <SignOutButton />
      </Stack>
    </Center>
  );
}

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
