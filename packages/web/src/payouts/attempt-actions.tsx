import { Button, Group, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { t } from '../texts/sending.ts';
import { type Attempt, isUndecided } from './payments.ts';

/** What can be done about one payment. */
export function AttemptActions({ attempt }: { attempt: Attempt }) {
  const { id, state, affiliate, amount_cents, currency, can_cancel } = attempt;
  const retry = useMutation(trpc.payoutAttempts.retry.mutationOptions());
  const withdraw = useMutation(trpc.payoutAttempts.withdraw.mutationOptions());
  const cancel = useMutation(trpc.payoutAttempts.cancel.mutationOptions());
  const subject = `${affiliate ? nameOf(affiliate) : id}, ${formatMoney(amount_cents, currency)}`;
  if (isUndecided(attempt)) return <Decide attempt={attempt} subject={subject} />;
  return (
    <Group gap="xs">
      {(state === 'failed' || state === 'unknown') && (
        <ConfirmedButton
          action={t.retry}
          subject={subject}
          consequence={state === 'failed' ? t.retryFailed : t.retryUnknown}
          mutation={retry}
          run={() => retry.mutateAsync({ id })}
        />
      )}
      {(state === 'prepared' || state === 'approved') && (
        <ConfirmedButton
          action={t.withdraw}
          subject={subject}
          consequence={t.withdrawConsequence}
          mutation={withdraw}
          run={() => withdraw.mutateAsync({ id })}
        />
      )}
      {can_cancel && (
        <ConfirmedButton
          action={t.callBack}
          subject={subject}
          consequence={state === 'arrived' ? t.callBackArrived : t.callBackConsequence}
          mutation={cancel}
          run={() => cancel.mutateAsync({ id })}
        />
      )}
    </Group>
  );
}

/** Lets a person say what became of a payment whose outcome the service cannot find out. */
function Decide({ attempt, subject }: { attempt: Attempt; subject: string }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <Button variant="default" size="compact-sm" aria-label={`${t.decide}: ${subject}`} onClick={dialog.open}>
        {t.decide}
      </Button>
      {asking && <DecideDialog attempt={attempt} subject={subject} onClose={dialog.close} />}
    </>
  );
}

function DecideDialog({ attempt, subject, onClose }: { attempt: Attempt; subject: string; onClose: () => void }) {
  const form = useForm({ initialValues: { outcome: '', reason: '', provider_item_id: '' } });
  const decide = useMutation(trpc.payoutAttempts.decide.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  const { outcome } = form.values;
  return (
    <FormDialog
      title={`${t.decide}: ${subject}`}
      submit={t.decide}
      size="md"
      dangerous
      progress={decide}
      disabled={outcome === ''}
      onClose={onClose}
      onSubmit={form.onSubmit(({ reason, provider_item_id }) =>
        decide.mutate({
          id: attempt.id,
          outcome: outcome as 'arrived' | 'failed',
          reason: reason.trim(),
          ...(provider_item_id.trim() !== '' && { provider_item_id: provider_item_id.trim() }),
        }),
      )}
    >
      <Text>{t.decideHint}</Text>
      <Radio.Group label={t.whatHappened} required {...form.getInputProps('outcome')}>
        <Stack gap="xs" mt="xs">
          <Radio value="arrived" label={t.didArrive} />
          <Radio value="failed" label={t.didFail} />
        </Stack>
      </Radio.Group>
      <Textarea label={t.howKnown} required maxLength={500} {...form.getInputProps('reason')} />
      {attempt.provider_item_id === null && (
        <TextInput
          label={t.providerItemId}
          description={t.providerItemIdHint}
          maxLength={300}
          {...form.getInputProps('provider_item_id')}
        />
      )}
    </FormDialog>
  );
}
