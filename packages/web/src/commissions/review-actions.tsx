import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { formatMoney } from '../components/amounts.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { notify, notifyFailure } from '../components/notices.tsx';
import type { Commission } from './columns.tsx';
import { t } from '../texts/en/commissions.ts';

const OUTCOMES = {
  approve: t.approved,
  suspicious: t.flagged,
  deactivate: t.voided,
};

/** Review buttons of a commission that is neither paid nor voided. */
export function ReviewActions({ commission, onReviewed }: { commission: Commission; onReviewed?: () => void }) {
  const { id, review_status } = commission;
  const subject = subjectOf(commission);
  const review = useMutation(
    trpc.commissions.review.mutationOptions({
      onSuccess: (_, { review_action }) => {
        notify(`${OUTCOMES[review_action]}: ${subject}`);
        onReviewed?.();
      },
    }),
  );
  const decide = (review_action: 'approve' | 'suspicious') => review.mutate({ id, review_action }, { onError: notifyFailure });
  return (
    <Group gap="xs">
      {review_status === 'suspicious' ? (
        <Button size="compact-sm" loading={review.isPending} aria-label={t.approveOf({ subject })} onClick={() => decide('approve')}>
          {t.approve}
        </Button>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          loading={review.isPending}
          aria-label={t.flagOf({ subject })}
          onClick={() => decide('suspicious')}
        >
          {t.flag}
        </Button>
      )}
      <ConfirmedButton
        action={t.void}
        subject={subject}
        dangerous
        consequence={t.voidsTheCommissionAndDeactivates}
        mutation={review}
        run={() => review.mutateAsync({ id, review_action: 'deactivate' })}
      />
    </Group>
  );
}

function subjectOf({ amount_cents, currency, affiliate_id, sale }: Commission): string {
  return t.amountFor({
    amount: formatMoney(amount_cents, currency),
    affiliate: sale?.affiliate ? nameOf(sale.affiliate) : affiliate_id,
  });
}
