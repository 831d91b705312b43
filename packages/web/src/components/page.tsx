import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useContext } from 'react';
import { SiteName } from './site-name.ts';
import classes from './page.module.css';

interface PageProps {
  title: string;
  description?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, description, actions, children }: PageProps) {
  const siteName = useContext(SiteName);
  return (
    <Stack gap="lg">
      <title>{`${title} · ${siteName}`}</title>
      <Group justify="space-between" align="flex-start" gap="sm" className={classes['head']}>
        <div className={classes['heading']}>
          <Title order={1} size="h2">
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
