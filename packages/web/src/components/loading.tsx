import { Skeleton, Stack } from '@mantine/core';
import { t } from '../texts/loading.ts';

/** A placeholder for a page or panel whose data is loading. */
export function Loading() {
  return (
    <Stack mih={160} role="status" aria-label={t.loading}>
      <Skeleton h={24} w="40%" />
      <Skeleton h={16} />
      <Skeleton h={16} />
      <Skeleton h={16} w="70%" />
    </Stack>
  );
}
