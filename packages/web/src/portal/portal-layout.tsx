import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { Suspense, useEffect, useRef } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { Loading } from '../components/loading.tsx';
import { PageBoundary } from '../layout/page-boundary.tsx';
import { t } from '../texts/portal.ts';
import { BrandName, useBrand } from './brand.tsx';
import { leave } from './leave.ts';
import { usePortalPerson } from './portal-session.tsx';
import { chooseAccount } from './start.ts';
import classes from './portal-layout.module.css';

const PAGES = [
  ['/portal', t.home],
  ['/portal/links', t.links],
  ['/portal/materials', t.assets],
  ['/portal/conversions', t.conversions],
  ['/portal/commissions', t.commissions],
  ['/portal/payouts', t.payouts],
  ['/portal/payout-details', t.payoutDetails],
  ['/portal/profile', t.profile],
] as const;

/** The layout of all portal pages. */
export function PortalLayout() {
  const { affiliation, affiliations, isView } = usePortalPerson();
  const { account_name, brand } = affiliation;
  useBrand(brand);
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);

  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // Moves the focus from the link to the new page, so that screen readers continue there.
    main.current?.focus();
  }, [pathname]);

  return (
    <>
      <a className={classes['skip']} href="#main">
        {t.skip}
      </a>
      <header className={classes['header']}>
        <Group justify="space-between" wrap="nowrap" className={classes['inner']}>
          <BrandName name={account_name} brand={brand} />
          {affiliations.length > 1 && (
            <select
              aria-label={t.program}
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
        <nav aria-label={t.pages}>
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
          <Alert color="blue" role="status" mb="md" title={t.view}>
            {t.viewExplained}{' '}
            <Button variant="default" size="compact-sm" onClick={leave}>
              {t.stopView}
            </Button>
          </Alert>
        )}
        {affiliation.state === 'disabled' && (
          <Alert color="yellow" role="status" mb="md" title={t.noLongerActive}>
            {t.noLongerActiveExplained}
          </Alert>
        )}
        <PageBoundary key={pathname}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </PageBoundary>
        {brand.support_email !== null && (
          <Text size="sm" mt="xl">
            {t.support} <Anchor href={`mailto:${brand.support_email}`}>{brand.support_email}</Anchor>
          </Text>
        )}
      </main>
    </>
  );
}
