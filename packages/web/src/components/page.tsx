import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useContext } from 'react';
import { useIsLook } from './looked-at.tsx';
import { SiteName } from './site-name.ts';
import classes from './page.module.css';

interface PageProps {
  title: string;
  description?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page with its title. In the panel beside a list, a part of the list's page. */
export function Page({ title, description, actions, children }: PageProps) {
  const siteName = useContext(SiteName);
  const isLook = useIsLook();
  return (
    <Stack gap="lg">
      {!isLook && <title>{`${title} · ${siteName}`}</title>}
      <Group justify="space-between" align="flex-start" gap="sm" className={classes['head']}>
        <div className={classes['heading']}>
          <Title order={isLook ? 2 : 1} size={isLook ? 'h3' : 'h2'}>
            {title}
          </Title>
          {description && (
            <Text c="dimmed" maw={720}>
              {description}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
