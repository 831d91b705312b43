import { Group, Stack, Text, Button, useComputedColorScheme, useMantineColorScheme, Alert } from '@mantine/core';
import { useDisclosure, useNetwork } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router';
import { IconAndText } from '../components/icon.tsx';
import { labelOf } from '../components/labels.ts';
import { rarePart } from '../on-demand.tsx';
import { SearchButton } from '../search/search-button.tsx';
import { AccountSwitch, TestModeButton } from '../session/account-switch.tsx';
import { useMember } from '../session/session.tsx';
import { SignOutButton } from '../session/sign-out-button.tsx';
import { t } from '../texts/layout.ts';
import { PageBoundary } from './page-boundary.tsx';
import { PageLinks } from './page-links.tsx';
import classes from './layout.module.css';

// Loaded on demand: few accounts are examples, and the notice's dialog is larger than the layout.
const ExampleNotice = rarePart(async () => (await import('./example-notice.tsx')).ExampleNotice);

const TestModeNotice = rarePart(async () => (await import('./test-mode-notice.tsx')).TestModeNotice);

const SecondFactorNotice = rarePart(async () => (await import('./second-factor-notice.tsx')).SecondFactorNotice);

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
    // Moves the focus from the link to the new page, so that screen readers continue there.
    main.current?.focus();
  }, [pathname, menu]);

  return (
    <div className={classes['layout']}>
      <a className={classes['skip']} href="#main">
        {t.skipToContent}
      </a>
      <header className={classes['header']}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <button
              type="button"
              className={classes['menu']}
              onClick={menu.toggle}
              aria-label={t.menu}
              aria-expanded={opened}
              aria-controls="pages"
            >
              <svg viewBox="0 0 20 20" width={20} height={20} stroke="currentColor" strokeWidth={2} aria-hidden>
                <path d={opened ? 'M4 4l12 12M16 4L4 16' : 'M2 5h16M2 10h16M2 15h16'} />
              </svg>
            </button>
            <img src="/icon.svg" alt="" width={26} height={26} />
            <Text fw={600} truncate>
              {account.name}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap" flex="none">
            <SearchButton />
            <AccountSwitch />
            <ColorSchemeButton />
          </Group>
        </Group>
      </header>
      <nav id="pages" aria-label={t.pages} className={classes['pages']} data-opened={opened || undefined}>
        <PageLinks role={role} />
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
          <TestModeButton />
        </Stack>
      </nav>
      <main id="main" ref={main} tabIndex={-1} className={classes['main']}>
        <OfflineNotice />
        {!account.livemode && <TestModeNotice />}
        {account.is_example && <ExampleNotice />}
        {account.second_factor_required_from !== null && !user.has_second_factor && <SecondFactorNotice />}
        <PageBoundary key={pathname}>
          <Outlet />
        </PageBoundary>
      </main>
    </div>
  );
}

function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const next = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  return (
    <Button
      variant="default"
      size="compact-sm"
      onClick={() => setColorScheme(next)}
      aria-label={t.switchTo({ scheme: next === 'dark' ? t.dark : t.light })}
    >
      <IconAndText name={next} text={next === 'dark' ? t.dark : t.light} />
    </Button>
  );
}

/** Shown while the browser has no connection. */
function OfflineNotice() {
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <Alert color="yellow" title={t.offline} mb="md">
          {t.offlineMeaning}
        </Alert>
      )}
    </div>
  );
}
