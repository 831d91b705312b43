import { Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Loaded } from '../components/loaded.tsx';
import { notify } from '../components/notices.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { Section } from '../components/section.tsx';
import { useMember } from '../session/session.tsx';
import { language } from '../texts/language.ts';
import { t } from '../texts/payout-rails.ts';
import { problemOf, textOf, useShownAccount, withAmount } from './sending-rules.tsx';

type Kind = Outputs['payoutMethods']['kinds']['data'][number];
type Terms = Outputs['account']['get']['payout_terms'];

/** The terms of each method: the bearer of its fees, its minimum, and whether it is paused. Amounts are in the account's currency. */
export function MethodTerms() {
  const { account } = useMember();
  const kinds = useQuery(trpc.payoutMethods.kinds.queryOptions({}));
  return (
    <Section title={t.terms}>
      <Loaded query={kinds}>
        {({ data }) => (
          <TermsForm key={data.length} kinds={data.filter(({ paid_by }) => paid_by === null)} known={account.payout_terms} />
        )}
      </Loaded>
    </Section>
  );
}

function TermsForm({ kinds, known }: { kinds: Kind[]; known: Terms }) {
  const { account } = useMember();
  const { currency } = account;
  const termsOf = (kind: string) => known.find(({ method }) => method === kind);
  const form = useForm({
    initialValues: {
      rows: kinds.map(({ kind }) => ({
        method: kind,
        fee_bearer: termsOf(kind)?.fee_bearer ?? ('merchant' as const),
        fee: textOf(termsOf(kind)?.fees ?? [], currency),
        minimum: textOf(termsOf(kind)?.minimums ?? [], currency),
        paused: termsOf(kind)?.paused ?? false,
      })),
    },
    validate: { rows: { fee: (text) => problemIn(text, currency), minimum: (text) => problemIn(text, currency) } },
  });
  const showUpdated = useShownAccount();
  const save = useMutation(
    trpc.account.update.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: (updated) => {
        showUpdated(updated);
        notify(t.termsSaved);
      },
    }),
  );
  const send = ({ rows }: typeof form.values) => {
    const others = known.filter(({ method }) => !rows.some((row) => row.method === method));
    const payout_terms = rows.map(({ method, fee_bearer, fee, minimum, paused }) => ({
      method,
      fee_bearer,
      fees: withAmount(termsOf(method)?.fees ?? [], currency, fee),
      minimums: withAmount(termsOf(method)?.minimums ?? [], currency, minimum),
      paused,
    }));
    save.mutate({ account_id: account.id, payout_terms: [...others, ...payout_terms] });
  };
  return (
    <form onSubmit={form.onSubmit(send)}>
      <Stack>
        <Text size="sm">{t.termsHint}</Text>
        {kinds.map(({ kind, name }, at) => (
          <Group key={kind} align="flex-start">
            <NativeSelect
              label={t.feeBearer({ method: name[language] })}
              data={[
                { value: 'merchant', label: t.byMerchant },
                { value: 'affiliate', label: t.byAffiliate },
              ]}
              {...form.getInputProps(`rows.${at}.fee_bearer`)}
            />
            {form.values.rows[at]?.fee_bearer === 'affiliate' && (
              <TextInput label={t.feeOf({ currency })} description={t.feeHint} {...form.getInputProps(`rows.${at}.fee`)} />
            )}
            <TextInput label={t.minimumOf({ method: name[language], currency })} {...form.getInputProps(`rows.${at}.minimum`)} />
            <Checkbox
              label={t.paused({ method: name[language] })}
              description={t.pausedHint}
              {...form.getInputProps(`rows.${at}.paused`, { type: 'checkbox' })}
            />
          </Group>
        ))}
        <SaveRow save={save} />
      </Stack>
    </form>
  );
}

function problemIn(text: string, currency: string): string | null {
  return text.trim() === '' ? null : problemOf(text, currency);
}
