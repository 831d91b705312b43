import { roleAtLeast, type Role } from '@affiliate/core/browser';
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { Icon, type IconName } from '../components/icon.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/layout.ts';
import { isFoundBy, isOpenTo, PROGRAM, SETTINGS } from './navigation.ts';
import classes from './layout.module.css';

/** Links to the pages of daily work, or to the settings while one of them is open. */
export function PageLinks({ role }: { role: Role }) {
  const { pathname } = useLocation();
  return pathname.startsWith('/settings/') ? <SettingsLinks role={role} /> : <ProgramLinks role={role} />;
}

function ProgramLinks({ role }: { role: Role }) {
  const [first] = SETTINGS.flatMap(({ destinations }) => destinations).filter((each) => roleAtLeast(role, each.role));
  return (
    <>
      <Stack gap={2} className={classes['destinations']}>
        {PROGRAM.map(({ path, label, icon }) => (
          <PageLink key={path} path={path} label={label} icon={icon} />
        ))}
      </Stack>
      {first && <PageLink path={first.path} label={t.settings} icon="settings" />}
    </>
  );
}

function SettingsLinks({ role }: { role: Role }) {
  const [query, setQuery] = useState('');
  const { account } = useMember();
  const found = SETTINGS.map(({ label, destinations }) => ({
    label,
    destinations: destinations.filter((each) => isOpenTo(each, role, account) && isFoundBy(each, query)),
  })).filter(({ destinations }) => destinations.length > 0);
  return (
    <div className={classes['destinations']}>
      <PageLink path="/" label={t.backToProgram} icon="back" />
      <input
        type="search"
        className={classes['search']}
        aria-label={t.searchSettings}
        placeholder={t.searchSettings}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      {found.map(({ label, destinations }) => (
        <Stack key={label} gap={2} mb="md">
          <Text size="xs" fw={600} c="dimmed" px="sm">
            {label}
          </Text>
          {destinations.map(({ path, label, icon }) => (
            <PageLink key={path} path={path} label={label} icon={icon} />
          ))}
        </Stack>
      ))}
      {found.length === 0 && (
        <Text size="sm" c="dimmed" px="sm" role="status">
          {t.noSettings}
        </Text>
      )}
    </div>
  );
}

function PageLink({ path, label, icon }: { path: string; label: string; icon: IconName }) {
  const { pathname } = useLocation();
  return (
    <Link to={path} aria-current={isBelow(pathname, path) ? 'page' : undefined} className={classes['destination']}>
      <Icon name={icon} />
      {label}
    </Link>
  );
}

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || (path !== '/' && pathname.startsWith(`${path}/`));
}
