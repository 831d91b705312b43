import { Badge } from '@mantine/core';

/** Marks a record of the payment provider's test mode. Live records have no mark. */
export function ModeBadge({ livemode }: { livemode: boolean }) {
  if (livemode) return null;
  return (
    <Badge variant="outline" color="gray" tt="none" fw={500} miw="max-content">
      Test
    </Badge>
  );
}
