import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  /** Icon in the picture of a list of such records. Without it, there is no picture. */
  picture?: IconName;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** Shown instead of an empty list. Says what the list will contain and what to do next. */
export function EmptyState({ picture, title, children, action }: EmptyStateProps) {
  return (
    <Paper withBorder p="xl" radius="md">
      <Stack align="center" gap="sm" ta="center">
        {picture && <Picture icon={picture} />}
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" maw={520}>
          {children}
        </Text>
        {action}
      </Stack>
    </Paper>
  );
}

/** A list as a drawing: two sheets with entries, and the icon of what will be listed. */
function Picture({ icon }: { icon: IconName }) {
  return (
    <div className={classes['picture']} aria-hidden>
      <svg className={classes['drawing']} viewBox="0 0 112 72" width={112} height={72}>
        <rect x="22" y="4" width="68" height="40" rx="6" />
        <rect x="10" y="14" width="92" height="52" rx="8" />
        <path className={classes['entry']} d="M22 28h0M34 28h36M22 41h0M34 41h48M22 54h0M34 54h24" />
      </svg>
      <span className={classes['icon']}>
        <Icon name={icon} />
      </span>
    </div>
  );
}
