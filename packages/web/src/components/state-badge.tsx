import { Badge } from '@mantine/core';

const COLORS: Record<string, string> = {
  active: 'green',
  succeeded: 'green',
  paid: 'green',
  accepted: 'green',
  completed: 'green',
  due: 'blue',
  processing: 'blue',
  executing: 'blue',
  pending: 'yellow',
  planned: 'yellow',
  invited: 'yellow',
  suspicious: 'orange',
  partially_completed: 'orange',
  stopped: 'red',
  failed: 'red',
  rejected: 'red',
  expired: 'red',
};

/** A record's state; the colour only repeats what the word says. */
export function StateBadge({ state }: { state: string }) {
  return (
    <Badge variant="dot" color={COLORS[state] ?? 'gray'} tt="none" fw={500} miw="max-content">
      {state.replaceAll('_', ' ')}
    </Badge>
  );
}
