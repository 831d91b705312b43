import { Group, Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { Money } from './money.tsx';
import { StateBadge } from './state-badge.tsx';
import classes from './answer.module.css';

interface AnswerProps {
  cents: number;
  currency: string;
  state: string;
  /** Says how the amount came about, and what happens next. */
  children: ReactNode;
}

/** The head of the page of a record: its amount and state, and the reason for them. */
export function Answer({ cents, currency, state, children }: AnswerProps) {
  return (
    <Paper withBorder p="md" radius="md">
      <Group gap="sm" align="baseline" mb="xs">
        <span className={classes['amount']}>
          <Money cents={cents} currency={currency} />
        </span>
        <StateBadge state={state} />
      </Group>
      {children}
    </Paper>
  );
}
