import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { framePages } from '../api/frame-options.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { Loading } from '../components/loading.tsx';
import { PageBoundary } from '../layout/page-boundary.tsx';
import { t } from '../texts/portal.ts';
import { BrandName, useBrand } from './brand.tsx';
import { chooseAccount } from './early-start.ts';
import { leave } from './leave.ts';
import { usePortalPerson } from './portal-session.tsx';
import classes from './portal-layout.module.css';

type PortalLink = readonly [path: string, label: string, icon: IconName];

/** Pages that the bar of a phone shows. */
const FIRST: readonly PortalLink[] = [
  ['/portal', t.home, 'overview'],
  ['/portal/links', t.links, 'links'],
  ['/portal/commissions', t.commissions, 'commissions'],
  ['/portal/payouts', t.payouts, 'payouts'],
];
/** Pages that a phone shows in a list above the bar. */
const MORE: readonly PortalLink[] = [
  ['/portal/figures', t.figures, 'analytics'],
  ['/portal/materials', t.assets, 'materials'],
  ['/portal/conversions', t.conversions, 'conversions'],
  ['/portal/payout-details', t.payoutDetails, 'details'],
  ['/portal/profile', t.profile, 'profile'],
];

/** True if the page around a frame wants a page in the navigation. */
function isShown([path]: PortalLink): boolean {
  return framePages === null || framePages.includes(path.replace(/^\/portal\/?/, ''));
}

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
        <PortalLinks />
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

/** Links to the pages: a row on wide screens. On phones, a bar at the bottom, whose last button shows the rest. */
function PortalLinks() {
  const { pathname } = useLocation();
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  // Another page closes the list.
  const opened = openedOn === pathname;
  const item = ([path, label, icon]: PortalLink) => (
    <li key={path}>
      <Link to={path} className={classes['page']} aria-current={pathname === path ? 'page' : undefined}>
        <Icon name={icon} />
        {label}
      </Link>
    </li>
  );
  return (
    <nav aria-label={t.pages}>
      <ul className={classes['pages']}>
        {FIRST.filter(isShown).map(item)}
        <li className={classes['rest']}>
          <button
            type="button"
            className={classes['more']}
            aria-expanded={opened}
            aria-controls="more-pages"
            data-current={MORE.some(([path]) => path === pathname) || undefined}
            onClick={() => setOpenedOn(opened ? null : pathname)}
          >
            <Icon name="more" />
            {t.more}
          </button>
          <ul id="more-pages" className={classes['list']} data-opened={opened || undefined}>
            {MORE.filter(isShown).map(item)}
          </ul>
        </li>
      </ul>
    </nav>
  );
}
