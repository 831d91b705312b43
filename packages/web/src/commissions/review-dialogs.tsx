import { Checkbox, Text, Textarea, type TextareaProps } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { formatMoney } from '../components/amounts.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { notify } from '../components/notices.tsx';
import { t } from '../texts/commissions.ts';
import { type Commission, type Contested, contestInWords } from './columns.tsx';

interface VoidDialogProps {
  commission: Pick<Commission, 'id' | 'referral_id'>;
  /** The commission's amount and affiliate, as text for people. */
  subject: string;
  onVoided?: () => void;
  onClose: () => void;
}

/**
 * Voids a commission with an optional reason. On request, also deactivates its referral, so that the customer's later sales earn nothing.
 */
export function VoidDialog({ commission: { id, referral_id }, subject, onVoided, onClose }: VoidDialogProps) {
  const form = useForm({ initialValues: { void_reason: '', stops: false } });
  const stop = useMutation(trpc.referrals.deactivate.mutationOptions());
  const { mutate, ...progress } = useMutation({
    ...trpc.commissions.void.mutationOptions({ onError: showFieldErrors(form) }),
    onSuccess: () => {
      notify(t.voidedOf({ subject }));
      onVoided?.();
      onClose();
    },
  });
  const submit = form.onSubmit(async ({ void_reason, stops }) => {
    // The referral is deactivated first. If that fails, the dialog stays open and nothing is voided.
    if (stops && referral_id !== null) await stop.mutateAsync({ id: referral_id });
    mutate({ id, ...(void_reason.trim() === '' ? {} : { void_reason: void_reason.trim() }) });
  });
  return (
    <FormDialog
      title={t.voidOf({ subject })}
      submit={t.void}
      size="md"
      dangerous
      progress={{ isPending: progress.isPending || stop.isPending, error: stop.error ?? progress.error }}
      onClose={onClose}
      onSubmit={submit}
    >
      <VoidReason {...form.getInputProps('void_reason')} />
      {referral_id !== null && (
        <Checkbox label={t.alsoStop} description={t.alsoStopHint} {...form.getInputProps('stops', { type: 'checkbox' })} />
      )}
    </FormDialog>
  );
}

/** Says what voiding does, with a field for the reason. */
export function VoidReason(field: TextareaProps) {
  return (
    <>
      <Text>{t.voidConsequence}</Text>
      <Textarea label={t.reason} description={t.reasonHint} maxLength={500} data-autofocus {...field} />
    </>
  );
}

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
