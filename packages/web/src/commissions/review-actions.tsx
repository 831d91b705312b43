import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { RowActions, RowButton } from '../components/cells.tsx';
import { notify, notifyFailure } from '../components/notices.tsx';
import { partOnDemand } from '../on-demand.tsx';
import { t } from '../texts/commissions.ts';
import type { Commission, Contested } from './columns.tsx';

const VoidDialog = partOnDemand(async () => (await import('./review-dialogs.tsx')).VoidDialog);
const ReconsiderDialog = partOnDemand(async () => (await import('./review-dialogs.tsx')).ReconsiderDialog);

/** Buttons to approve or flag, and to void, a commission that is neither paid nor voided. */
export function ReviewActions({ commission, onReviewed }: { commission: Commission; onReviewed?: () => void }) {
  const { id, review_status } = commission;
  const subject = subjectOf(commission);
  const [asking, dialog] = useDisclosure();
  const review = useMutation(
    trpc.commissions.review.mutationOptions({
      onSuccess: (_, { review_action }) => {
        notify(review_action === 'approve' ? t.approvedOf({ subject }) : t.flaggedOf({ subject }));
        onReviewed?.();
      },
    }),
  );
  const decide = (review_action: 'approve' | 'suspicious') => review.mutate({ id, review_action }, { onError: notifyFailure });
  return (
    <RowActions>
      {review_status === 'suspicious' ? (
        <RowButton
          look="primary"
          action={t.approve}
          label={t.approveOf({ subject })}
          isBusy={review.isPending}
          onClick={() => decide('approve')}
        />
      ) : (
        <RowButton
          icon="flag"
          action={t.flag}
          label={t.flagOf({ subject })}
          isBusy={review.isPending}
          onClick={() => decide('suspicious')}
        />
      )}
      <RowButton look="dangerous" icon="void" action={t.voidAction} label={t.voidOf({ subject })} onClick={dialog.open} />
      {asking && (
        <VoidDialog
          commission={commission}
          subject={subject}
          onClose={dialog.close}
          {...(onReviewed ? { onVoided: onReviewed } : {})}
        />
      )}
    </RowActions>
  );
}

/** Buttons that have a paid reward stand, or decided again, that facts contradict. */
export function ReconsiderAction({ commission, contested }: { commission: Commission; contested: Contested }) {
  const { id } = commission;
  const subject = subjectOf(commission);
  const [asking, dialog] = useDisclosure();
  const keep = useMutation(
    trpc.commissions.review.mutationOptions({ onSuccess: () => notify(t.keptOf({ subject })), onError: notifyFailure }),
  );
  return (
    <RowActions>
      <RowButton
        action={t.keep}
        label={t.keepOf({ subject })}
        isBusy={keep.isPending}
        onClick={() => keep.mutate({ id, review_action: 'keep' })}
      />
      <RowButton look="primary" action={t.decideAgain} label={t.decideAgainOf({ subject })} onClick={dialog.open} />
      {asking && <ReconsiderDialog commission={commission} contested={contested} subject={subject} onClose={dialog.close} />}
    </RowActions>
  );
}

/** Returns the amount and affiliate of a commission as text for people. */
export function subjectOf({ amount_cents, currency, affiliate }: Commission): string {
  return t.amountFor({
    amount: formatMoney(amount_cents, currency),
    affiliate: affiliate ? nameOf(affiliate) : t.anAffiliate,
  });
}
