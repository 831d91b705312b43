import { Code, Group, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { labelOf } from '../components/labels.ts';
import { Moment } from '../components/moment.tsx';
import { Facts } from '../records/facts.tsx';
import { t } from '../texts/sending.ts';
import { type Attempt, isUndecided } from './payments.ts';

/** The actions on one payment. */
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
  return (
    <DialogButton size="compact-sm" label={`${t.decide}: ${subject}`} action={t.decide}>
      {(close) => <DecideDialog attempt={attempt} subject={subject} onClose={close} />}
    </DialogButton>
  );
}

function DecideDialog({ attempt, subject, onClose }: { attempt: Attempt; subject: string; onClose: () => void }) {
  const form = useForm({ initialValues: { outcome: '', reason: '', provider_item_id: '' } });
  const decide = useMutation(trpc.payoutAttempts.decide.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  const { outcome } = form.values;
  const { id, reason, amount_cents, affiliate_fee_cents, currency, method, first_posted_at, raw_state } = attempt;
  const { provider_batch_id, provider_item_id, receiver_name } = attempt;
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
      <Text>{reason === 'key_expired' ? t.keyExpired : t.otherAmount}</Text>
      <Facts
        label={t.toLookFor}
        facts={[
          [t.method, labelOf(method)],
          [t.amountSent, formatMoney(amount_cents - (affiliate_fee_cents ?? 0), currency)],
          [t.firstSent, first_posted_at !== null && <Moment key="sent" at={first_posted_at} />],
          [t.ourKey, <Code key="key">{id}</Code>],
          [t.providerItemId, provider_item_id !== null && <Code key="item">{provider_item_id}</Code>],
          [t.providerBatchId, provider_batch_id !== null && <Code key="batch">{provider_batch_id}</Code>],
          [t.receiver, receiver_name],
          [t.lastWord, raw_state],
        ]}
      />
      <Radio.Group label={t.whatHappened} required {...form.getInputProps('outcome')}>
        <Stack gap="xs" mt="xs">
          <Radio value="arrived" label={t.didArrive} description={t.didArriveHint} />
          <Radio value="failed" label={t.didFail} description={t.didFailHint} />
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
