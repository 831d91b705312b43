import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { notify } from '../components/notices.tsx';
import { t } from '../texts/commissions.ts';
import type { Commission } from './columns.tsx';
import { type Contested, contestInWords } from './contested.ts';

interface ReconsiderDialogProps {
  commission: Commission;
  contested: Contested;
  /** The commission's amount and affiliate, as text for people. */
  subject: string;
  onClose: () => void;
}

/** Says what deciding a paid reward again does, and has it decided again. */
export function ReconsiderDialog({ commission, contested, subject, onClose }: ReconsiderDialogProps) {
  const { id, amount_cents, currency } = commission;
  const review = useMutation(
    trpc.commissions.review.mutationOptions({
      onSuccess: () => {
        notify(t.decidedAgainOf({ subject }));
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={t.decideAgainOf({ subject })}
      submit={t.decideAgain}
      size="md"
      dangerous
      progress={review}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        review.mutate({ id, review_action: 'reconsider' });
      }}
    >
      <Text>{contestInWords(contested, currency)}</Text>
      <Text>{t.decideAgainConsequence({ amount: formatMoney(amount_cents, currency) })}</Text>
    </FormDialog>
  );
}
