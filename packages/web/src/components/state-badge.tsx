import { Badge } from '@mantine/core';
import { labelOf } from './labels.ts';

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

/** A record's state. The color adds no information. */
export function StateBadge({ state }: { state: string }) {
  return (
    <Badge variant="dot" color={COLORS[state] ?? 'gray'} tt="none" fw={500} miw="max-content">
      {labelOf(state)}
    </Badge>
  );
}
