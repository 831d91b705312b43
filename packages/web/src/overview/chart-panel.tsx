import { Paper, Title } from '@mantine/core';
import { type ReactNode, Suspense, useId, useState } from 'react';
import { Loading } from '../components/loading.tsx';
import classes from './chart-panel.module.css';

interface ChartPanelProps {
  title: string;
  /** What the chart shows, in a sentence. */
  summary: string;
  chart: ReactNode;
  /** The same in figures. */
  table: ReactNode;
}

/** A chart for those who see it, and a table for everybody. */
export function ChartPanel({ title, summary, chart, table }: ChartPanelProps) {
  const id = useId();
  const [opened, setOpened] = useState(false);
  return (
    <Paper component="section" withBorder p="md" radius="md" aria-labelledby={id} miw={0}>
      <Title order={2} size="h4" id={id} mb="sm">
        {title}
      </Title>
      <div role="img" aria-label={summary} className={classes['chart']}>
        <Suspense fallback={<Loading />}>{chart}</Suspense>
      </div>
      <details onToggle={(event) => setOpened(event.currentTarget.open)}>
        <summary className={classes['summary']}>{`${title}: day by day, as a table`}</summary>
        {opened && table}
      </details>
    </Paper>
  );
}
