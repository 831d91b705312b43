import { AFFILIATE_STATES } from '@affiliate/core/browser';
import { Group, NativeSelect } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { serviceErrorOf } from '../api/service-error.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import type { Affiliate } from './affiliate.ts';

const MEANINGS: Record<Affiliate['state'], string> = {
  pending: 'Waits for approval; tracks and earns nothing yet.',
  active: 'Tracks visits and earns.',
  disabled: 'Tracks and earns nothing; payouts wait.',
  suspicious: 'Earns nothing new; payouts are on hold.',
  rejected: 'Was not admitted.',
};

/** Any state can follow any other. */
export function StateSelect({ affiliate }: { affiliate: Affiliate }) {
  const { id, state } = affiliate;
  const update = useMutation(
    trpc.affiliates.update.mutationOptions({
      onSuccess: (changed) => notifications.show({ message: `${nameOf(changed)} is ${changed.state} now.` }),
      onError: (error) => notifications.show({ color: 'red', message: serviceErrorOf(error).message }),
    }),
  );
  return (
    <Group>
      <NativeSelect
        label="State"
        description={MEANINGS[state]}
        value={state}
        disabled={update.isPending}
        data={[...AFFILIATE_STATES]}
        onChange={(event) => update.mutate({ id, state: event.currentTarget.value as Affiliate['state'] })}
      />
    </Group>
  );
}
