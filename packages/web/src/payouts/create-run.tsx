import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { trpc } from '../api/client.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { type Payout, modeOf } from './payout.ts';
import { usePayoutSummary } from './payout-summary.tsx';

/** Creates a planned run and opens it. Nothing is paid until it is executed. */
export function CreateRun({ payouts, onClose }: { payouts: Payout[]; onClose: () => void }) {
  const navigate = useNavigate();
  const plan = useMutation(trpc.payoutRuns.create.mutationOptions({ onSuccess: ({ id }) => navigate(`/payouts/runs/${id}`) }));
  const affiliates = [...new Set(payouts.map(({ affiliate_id }) => affiliate_id))];
  const { summary, isEmpty } = usePayoutSummary(payouts);
  return (
    <FormDialog
      title="Create payout run"
      submit="Create"
      size="md"
      progress={plan}
      disabled={isEmpty}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        plan.mutate(affiliates.length > 0 ? { affiliate_ids: affiliates, ...modeOf(payouts) } : {});
      }}
    >
      {summary}
      {affiliates.length > 0 && (
        <Text size="sm">
          The run includes all eligible payouts of these affiliates, also in other currencies, but of one mode.
        </Text>
      )}
      <Text size="sm">
        The run holds these payouts until it is executed or canceled. You can review it before you execute it.
      </Text>
    </FormDialog>
  );
}
