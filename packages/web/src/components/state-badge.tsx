import type { CSSProperties } from 'react';
import { labelOf } from './labels.ts';
import classes from './cells.module.css';

const COLORS: Record<string, string> = {
  active: 'green',
  succeeded: 'green',
  paid: 'green',
  accepted: 'green',
  completed: 'green',
  due: 'blue',
  processing: 'blue',
  executing: 'blue',
  paying: 'blue',
  pending: 'yellow',
  not_due: 'yellow',
  planned: 'yellow',
  invited: 'yellow',
  suspicious: 'orange',
  partially_completed: 'orange',
  rest_canceled: 'orange',
  failing: 'orange',
  stopped: 'red',
  failed: 'red',
  returned: 'red',
  rejected: 'red',
  expired: 'red',
};

/** Shows a record's state. The label says everything: the color adds no information. */
export function StateBadge({ state }: { state: string }) {
  return (
    <span
      className={classes['badge']}
      data-dot
      style={{ '--dot': `var(--mantine-color-${COLORS[state] ?? 'gray'}-filled)` } as CSSProperties}
    >
      {labelOf(state)}
    </span>
  );
}
