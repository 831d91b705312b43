import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { trpc } from '../api/client.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import type { Payout } from './payout.ts';
import { PayoutSummary } from './payout-summary.tsx';

/** Plans a run and leads to it; nothing is paid before it is executed there. */
export function CreateRun({ payouts, onClose }: { payouts: Payout[]; onClose: () => void }) {
  const navigate = useNavigate();
  const plan = useMutation(trpc.payoutRuns.create.mutationOptions({ onSuccess: ({ id }) => navigate(`/payouts/runs/${id}`) }));
  const affiliates = [...new Set(payouts.map(({ affiliate_id }) => affiliate_id))];
  return (
    <FormDialog
      title="Plan a payout run"
      submit="Plan"
      size="md"
      progress={plan}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        plan.mutate(affiliates.length > 0 ? { affiliate_ids: affiliates } : {});
      }}
    >
      <PayoutSummary payouts={payouts} />
      {affiliates.length > 0 && (
        <Text size="sm">A run takes everything payable of these affiliates, in other currencies, too.</Text>
      )}
      <Text size="sm">The run holds them until it is executed or canceled. You look it over before anything is marked paid.</Text>
    </FormDialog>
  );
}
