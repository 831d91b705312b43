import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { formatMoney } from '../components/amounts.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { notify, notifyFailure } from '../components/notices.tsx';
import type { Commission } from './columns.tsx';

const OUTCOMES = {
  approve: 'Approved',
  suspicious: 'Flagged',
  deactivate: 'Voided',
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
        <Button size="compact-sm" loading={review.isPending} aria-label={`Approve: ${subject}`} onClick={() => decide('approve')}>
          Approve
        </Button>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          loading={review.isPending}
          aria-label={`Flag: ${subject}`}
          onClick={() => decide('suspicious')}
        >
          Flag
        </Button>
      )}
      <ConfirmedButton
        action="Void"
        subject={subject}
        dangerous
        consequence="Voids the commission and deactivates its referral, so that later sales to this customer earn no commission. A voided commission cannot be restored."
        mutation={review}
        run={() => review.mutateAsync({ id, review_action: 'deactivate' })}
      />
    </Group>
  );
}

function subjectOf({ amount_cents, currency, affiliate_id, sale }: Commission): string {
  return `${formatMoney(amount_cents, currency)} for ${sale?.affiliate ? nameOf(sale.affiliate) : affiliate_id}`;
}
