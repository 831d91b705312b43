import { decimalAmount, parseDecimalAmount } from '@affiliate/core/browser';
import { Alert, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { Filled } from '../components/filled.tsx';
import { notify } from '../components/notices.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { Section } from '../components/section.tsx';
import { Ago } from '../lists/ago.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/payout-rails.ts';

type Account = Outputs['account']['get'];
type Amounts = Account['payout_approval']['above'];

const HOURS = Array.from({ length: 25 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }));

/** The rules about approvals and the amount of a day, and the switch that stops all sending. Amounts are those in the account's currency. */
export function SendingRules() {
  const { account } = useMember();
  const { currency, payout_approval: rules, payouts_stopped_at } = account;
  const form = useForm({
    initialValues: {
      second_person: rules.second_person,
      above: textOf(rules.above, currency),
      limit: textOf(rules.daily_limits ?? [], currency),
      new_methods: rules.new_methods,
      has_hours: rules.allowed_hours !== null,
      from: String(rules.allowed_hours?.from ?? 9),
      until: String(rules.allowed_hours?.until ?? 17),
    },
    validate: {
      above: (text, { second_person }) => (second_person === 'above' ? problemOf(text, currency) : null),
      limit: (text) => (text.trim() === '' ? null : problemOf(text, currency)),
    },
  });
  const showUpdated = useShownAccount();
  const save = useMutation(
    trpc.account.update.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: (updated) => {
        showUpdated(updated);
        notify(t.rulesSaved);
      },
    }),
  );
  const stop = useMutation(trpc.account.update.mutationOptions({ onSuccess: showUpdated }));
  const send = ({ second_person, above, limit, new_methods, has_hours, from, until }: typeof form.values) => {
    const limits = withAmount(rules.daily_limits ?? [], currency, limit);
    const amounts = second_person === 'above' ? withAmount(rules.above, currency, above) : rules.above;
    const daily_limits = limits.length === 0 ? null : limits;
    const allowed_hours = has_hours ? { from: Number(from), until: Number(until) } : null;
    const payout_approval = { second_person, above: amounts, daily_limits, new_methods, allowed_hours };
    save.mutate({ account_id: account.id, payout_approval });
  };
  const isStopped = payouts_stopped_at !== null;
  return (
    <Section title={t.rules}>
      <form onSubmit={form.onSubmit(send)}>
        <Stack>
          {isStopped && (
            <Alert color="red">
              <Filled text={t.stopped} values={{ at: <Ago at={payouts_stopped_at} /> }} />
            </Alert>
          )}
          <NativeSelect
            label={t.secondPerson}
            description={t.secondPersonHint}
            data={[
              { value: 'never', label: t.never },
              { value: 'above', label: t.above },
              { value: 'always', label: t.always },
            ]}
            {...form.getInputProps('second_person')}
          />
          {form.values.second_person === 'above' && (
            <TextInput label={t.threshold({ currency })} required {...form.getInputProps('above')} />
          )}
          <Checkbox
            label={t.newMethods}
            description={t.newMethodsHint}
            {...form.getInputProps('new_methods', { type: 'checkbox' })}
          />
          <TextInput label={t.dailyLimit({ currency })} description={t.dailyLimitHint} {...form.getInputProps('limit')} />
          <Checkbox
            label={t.onlyInHours}
            description={t.hoursHint({ zone: account.time_zone })}
            {...form.getInputProps('has_hours', { type: 'checkbox' })}
          />
          {form.values.has_hours && (
            <Group>
              <NativeSelect label={t.from} data={HOURS.slice(0, 24)} {...form.getInputProps('from')} />
              <NativeSelect
                label={t.hoursUntil}
                data={HOURS.slice(1)}
                error={form.errors['payout_approval.allowed_hours']}
                {...form.getInputProps('until')}
              />
            </Group>
          )}
          <SaveRow save={save} />
        </Stack>
      </form>
      <ConfirmedButton
        action={isStopped ? t.continueSending : t.stop}
        subject={account.name}
        size="sm"
        mt="md"
        dangerous={!isStopped}
        consequence={isStopped ? t.continueConsequence : t.stopConsequence}
        mutation={stop}
        run={() => stop.mutateAsync({ account_id: account.id, payouts_stopped: !isStopped })}
      />
    </Section>
  );
}

/** Returns a function that shows a changed account at once. */
export function useShownAccount(): (updated: Account) => void {
  const queryClient = useQueryClient();
  return (updated) =>
    queryClient.setQueryData(
      trpc.session.get.queryKey(),
      (session) => session && { ...session, accounts: session.accounts.map((each) => (each.id === updated.id ? updated : each)) },
    );
}

export function textOf(amounts: Amounts, currency: string): string {
  const amount = amounts.find((each) => each.currency === currency);
  return amount ? decimalAmount(amount.amount_cents, currency) : '';
}

export function problemOf(text: string, currency: string): string | null {
  return parseDecimalAmount(text, currency) === null
    ? t.enterAmount({ currency, value: decimalAmount(100_000, currency) })
    : null;
}

/** Returns the amounts with another one in the currency, or without one. Those in other currencies stay. */
export function withAmount(amounts: Amounts, currency: string, text: string): Amounts {
  const others = amounts.filter((each) => each.currency !== currency);
  return text.trim() === '' ? others : [...others, { currency, amount_cents: parseDecimalAmount(text, currency) ?? 0 }];
}
