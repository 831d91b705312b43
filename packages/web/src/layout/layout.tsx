import { AppShell, Burger, Group, NavLink, ScrollArea, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense, useEffect, useRef } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { AccountSwitch } from '../session/account-switch.tsx';
import { roleAtLeast } from '@affiliate/core/browser';
import { useMember } from '../session/session.tsx';
import { SignOutButton } from '../session/sign-out-button.tsx';
import { ColorSchemeButton } from './color-scheme-button.tsx';
import { ExampleNotice } from './example-notice.tsx';
import classes from './layout.module.css';
import { NAVIGATION } from './navigation.ts';
import { OfflineNotice } from './offline-notice.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { labelOf } from '../components/labels.ts';
import { Loading } from '../components/loading.tsx';

/** The layout of all pages that require sign-in. */
export function Layout() {
  const { user, account, role } = useMember();
  const { pathname } = useLocation();
  const [opened, menu] = useDisclosure();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);

  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    menu.close();
    // Screen readers continue with the new page instead of the link.
    main.current?.focus();
  }, [pathname, menu]);

  return (
    <AppShell header={{ height: 56 }} navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }} padding="lg">
      <a className={classes['skip']} href="#main">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger opened={opened} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label="Menu" aria-expanded={opened} />
            <img src="/icon.svg" alt="" width={26} height={26} />
            <Text fw={600} truncate>
              {account.name}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap" flex="none">
            <AccountSwitch />
            <ColorSchemeButton />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Pages">
        <AppShell.Section grow component={ScrollArea}>
          {NAVIGATION.map(({ label, destinations }) => {
            const allowed = destinations.filter((destination) => roleAtLeast(role, destination.role));
            if (allowed.length === 0) return null;
            return (
              <Stack key={label} gap={2} mb="md">
                <Text size="xs" fw={600} c="dimmed" px="sm">
                  {label}
                </Text>
                {allowed.map((destination) => {
                  const active = isBelow(pathname, destination.path);
                  return (
                    <NavLink
                      key={destination.path}
                      component={Link}
                      to={destination.path}
                      label={destination.label}
                      active={active}
                      aria-current={active ? 'page' : undefined}
                      className={classes['destination']}
                    />
                  );
                })}
              </Stack>
            );
          })}
        </AppShell.Section>
        <AppShell.Section>
          <Stack gap={4} px="sm">
            <Text size="sm" truncate>
              {user.email}
            </Text>
            <Group justify="space-between">
              <Text size="xs" c="dimmed">
                {labelOf(role)}
              </Text>
              <SignOutButton />
            </Group>
          </Stack>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} className={classes['main']}>
        <OfflineNotice />
        <ExampleNotice />
        <PageBoundary key={pathname}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </PageBoundary>
      </AppShell.Main>
    </AppShell>
  );
}

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || (path !== '/' && pathname.startsWith(`${path}/`));
}
