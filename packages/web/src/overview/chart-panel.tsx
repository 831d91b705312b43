import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Panel } from '../components/panel.tsx';
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
  const [opened, setOpened] = useState(false);
  return (
    <Panel title={title} aside={aside}>
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
    </Panel>
  );
}
