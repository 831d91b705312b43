import { Group, Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { t } from '../texts/overview.ts';
import classes from './chart-panel.module.css';

interface ChartPanelProps {
  title: string;
  /** Stands beside the title, e.g. a choice of what is shown. */
  aside?: ReactNode;
  /** Text alternative of the chart. */
  summary: string;
  chart: ReactNode;
  /** The same data as a table. */
  table: ReactNode;
  /** Says how to get something to show. Shown in place of the chart, which would have only an axis. */
  empty?: ReactNode;
}

/** Shows a chart and, on request, its data as a table; or what to do if there is no data yet. */
export function ChartPanel({ title, aside, summary, chart, table, empty }: ChartPanelProps) {
  const id = useId();
  const [opened, setOpened] = useState(false);
  return (
    <Paper component="section" withBorder p="md" radius="md" aria-labelledby={id} miw={0}>
      <Group justify="space-between" gap="sm" mb="sm">
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {empty ? (
        <Text c="dimmed">{empty}</Text>
      ) : (
        <>
          <div role="img" aria-label={summary}>
            {chart}
          </div>
          <details onToggle={(event) => setOpened(event.currentTarget.open)}>
            <summary className={classes['summary']}>{t.showAsTable({ title })}</summary>
            {opened && table}
          </details>
        </>
      )}
    </Paper>
  );
}
