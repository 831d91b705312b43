import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './figure-tile.module.css';

/** A figure with its label, as an item of a description list. The children are further details of the figure. */
export function FigureTile({ label, value, children }: { label: string; value: ReactNode; children?: ReactNode }) {
  return (
    <Paper withBorder p="md" radius="md">
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <dd className={classes['figure']}>{value}</dd>
      {children}
    </Paper>
  );
}
