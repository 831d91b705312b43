import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { trpc } from '../api/client.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { t } from '../texts/payouts.ts';
import { usePayoutSummary } from './payout-summary.tsx';
import { type Payout, modeOf } from './payout.ts';

/** Creates a planned run and opens its page. Nothing is paid until the run is executed. */
export function CreateRun({ payouts, onClose }: { payouts: Payout[]; onClose: () => void }) {
  const navigate = useNavigate();
  const plan = useMutation(trpc.payoutRuns.create.mutationOptions({ onSuccess: ({ id }) => navigate(`/payouts/runs/${id}`) }));
  const affiliates = [...new Set(payouts.map(({ affiliate_id }) => affiliate_id))];
  const { summary, isEmpty } = usePayoutSummary(payouts);
  return (
    <FormDialog
      title={t.createPayoutRun}
      submit={t.create}
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
      {affiliates.length > 0 && <Text size="sm">{t.theRunIncludesAllEligible}</Text>}
      <Text size="sm">{t.theRunHoldsThesePayouts}</Text>
    </FormDialog>
  );
}
