import { AFFILIATE_STATES } from '@affiliate/core/browser';
import { Group, NativeSelect } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { serviceErrorOf } from '../api/service-error.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import type { Affiliate } from './affiliate.ts';
import { labelOf, optionsOf } from '../components/labels.ts';

const MEANINGS: Record<Affiliate['state'], string> = {
  pending: 'Awaiting approval. Does not track visits or earn commissions.',
  active: 'Tracks visits and earns commissions.',
  disabled: 'Does not track visits or earn commissions. Payouts are not eligible.',
  suspicious: 'Does not track visits or earn commissions. Payouts are on hold.',
  rejected: 'Not accepted into the program. Payouts are not eligible.',
};

/** Offers every state, because an affiliate can move from any state to any other. */
export function StateSelect({ affiliate }: { affiliate: Affiliate }) {
  const { id, state } = affiliate;
  const update = useMutation(
    trpc.affiliates.update.mutationOptions({
      onSuccess: (changed) =>
        notifications.show({ message: `State of ${nameOf(changed)} changed to ${labelOf(changed.state)}.` }),
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
        data={optionsOf(AFFILIATE_STATES)}
        onChange={(event) => update.mutate({ id, state: event.currentTarget.value as Affiliate['state'] })}
      />
    </Group>
  );
}
