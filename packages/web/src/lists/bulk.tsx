import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { serviceErrorOf } from '../api/service-error.ts';
import { notify, notifyFailure } from '../components/notices.tsx';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/lists.ts';
import type { Selection } from './selection.tsx';

/** Changes every selected record, one after the other. Changed records leave the selection, so that the user can retry the rest. */
export function useBulk<Row extends { id: string }>(selection: Selection<Row>, change: (row: Row) => Promise<unknown>) {
  return useMutation({
    mutationFn: async () => {
      const { chosen } = selection;
      let failure: unknown;
      let done = 0;
      for (const row of chosen) {
        try {
          await change(row);
          selection.select([row], false);
          done += 1;
        } catch (error) {
          failure ??= error;
          // Stops if the service does not respond or refuses this user: all other changes would fail, too.
          if (['UNAUTHORIZED', 'FORBIDDEN', 'SECOND_FACTOR_REQUIRED', null].includes(serviceErrorOf(error).code)) break;
        }
      }
      return { done, left: chosen.length - done, failure };
    },
    onSuccess: ({ done, left, failure }) => {
      if (failure !== undefined) notifyFailure(failure);
      if (left > 0) notify(t.changedSome({ done: counts.records(done), left: counts.records(left) }));
      else notify(t.changedAll({ done: counts.records(done) }));
    },
  });
}

/** A button that changes all selected records without asking first, for a change that can be undone. */
export function BulkButton<Row extends { id: string }>({
  action,
  selection,
  change,
}: {
  action: string;
  selection: Selection<Row>;
  change: (row: Row) => Promise<unknown>;
}) {
  const bulk = useBulk(selection, change);
  return (
    <Button size="compact-sm" variant="default" loading={bulk.isPending} onClick={() => bulk.mutate()}>
      {action}
    </Button>
  );
}
