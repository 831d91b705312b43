import { Alert, Button, Group, Text } from '@mantine/core';
import { Suspense, useEffect, useRef } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { Loading } from '../components/loading.tsx';
import { PageBoundary } from '../layout/page-boundary.tsx';
import classes from './portal-layout.module.css';
import { chooseAccount, leave, usePortalPerson } from './portal-session.tsx';

const PAGES = [
  ['/portal', 'Home'],
  ['/portal/links', 'Links'],
  ['/portal/conversions', 'Conversions'],
  ['/portal/commissions', 'Commissions'],
  ['/portal/payouts', 'Payouts'],
  ['/portal/payout-details', 'Payout details'],
  ['/portal/profile', 'Profile'],
] as const;

/** The layout of all pages for affiliates. */
export function PortalLayout() {
  const { affiliation, affiliations, isView } = usePortalPerson();
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);

  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // Screen readers continue with the new page instead of the link.
    main.current?.focus();
  }, [pathname]);

  return (
    <>
      <a className={classes['skip']} href="#main">
        Skip to content
      </a>
      <header className={classes['header']}>
        <Group justify="space-between" wrap="nowrap" className={classes['inner']}>
          <Text fw={600} truncate>
            {affiliation.account_name}
          </Text>
          {affiliations.length > 1 && (
            <select
              aria-label="Program"
              className={classes['switch']}
              value={affiliation.account_id}
              onChange={(event) => chooseAccount(event.currentTarget.value)}
            >
              {affiliations.map(({ account_id, account_name }) => (
                <option key={account_id} value={account_id}>
                  {account_name}
                </option>
              ))}
            </select>
          )}
        </Group>
        <nav aria-label="Pages">
          <ul className={classes['pages']}>
            {PAGES.map(([path, label]) => (
              <li key={path}>
                <Link to={path} className={classes['page']} aria-current={pathname === path ? 'page' : undefined}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="main" ref={main} tabIndex={-1} className={classes['main']}>
        {isView && (
          <Alert color="blue" role="status" mb="md" title="You are looking at the portal of an affiliate">
            You see what the affiliate sees, and cannot change anything.{' '}
            <Button variant="default" size="compact-sm" onClick={leave}>
              Stop
            </Button>
          </Alert>
        )}
        {affiliation.state === 'disabled' && (
          <Alert color="yellow" role="status" mb="md" title="You are no longer active in this program">
            You can still see what you earned. Your links earn nothing new.
          </Alert>
        )}
        <PageBoundary key={pathname}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </PageBoundary>
      </main>
    </>
  );
}
