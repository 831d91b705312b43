import { Badge } from '@mantine/core';
import { t } from '../texts/en/components.ts';

/** Marks a record of the payment provider's test mode. Live records have no mark. */
export function ModeBadge({ livemode }: { livemode: boolean }) {
  if (livemode) return null;
  return (
    <Badge variant="outline" color="gray" tt="none" fw={500} miw="max-content">
      {t.test}
    </Badge>
  );
}
