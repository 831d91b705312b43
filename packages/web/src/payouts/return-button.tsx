import { Button, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import type { Payout } from './payout.ts';
import { counted } from '../components/labels.ts';
import { notify } from '../components/notices.tsx';

/** Takes back the payment of a payout whose transfer bounced. */
export function ReturnButton({ payout, subject }: { payout: Payout; subject: string }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Mark as returned: ${subject}`} onClick={dialog.open}>
        Mark as returned
      </Button>
      {asking && <ReturnDialog payout={payout} subject={subject} onClose={dialog.close} />}
    </>
  );
}

function ReturnDialog({ payout, subject, onClose }: { payout: Payout; subject: string; onClose: () => void }) {
  const form = useForm({ initialValues: { reason: '' } });
  const giveBack = useMutation(
    trpc.payouts.return.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: () => {
        notify(`Marked as returned: ${subject}`);
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={`Mark as returned: ${subject}`}
      submit="Mark as returned"
      size="md"
      dangerous
      progress={giveBack}
      onClose={onClose}
      onSubmit={form.onSubmit(({ reason }) => giveBack.mutate({ id: payout.id, reason: reason.trim() }))}
    >
      <Text>
        For a transfer that bounced. The payout’s {counted(payout.commissions_count, 'commission')} are due again and go into the
        affiliate’s open payout. This payout is kept as returned. This cannot be undone.
      </Text>
      <Textarea
        label="Reason"
        description="For example: account closed."
        required
        maxLength={500}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  );
}
