import { decimalAmount, parseDecimalAmount } from '@affiliate/core/browser';
import { NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { currencyChoices } from '../components/currencies.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { notify } from '../components/notices.tsx';
import { t } from '../texts/affiliates.ts';
import type { Affiliate } from './affiliate.ts';

/** Creates a bonus or a correction for the affiliate. */
export function CreateCommission({ affiliate, onClose }: { affiliate: Affiliate; onClose: () => void }) {
  const form = useForm({
    initialValues: { amount_cents: '', currency: affiliate.campaign?.minimum_payout_currency ?? 'USD', note: '' },
    validate: { amount_cents: (text, { currency }) => amountProblem(text, currency) },
  });
  const create = useMutation(
    trpc.commissions.create.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: ({ amount_cents, currency }) => {
        notify(t.commissionAdded({ amount: formatMoney(amount_cents, currency), affiliate: nameOf(affiliate) }));
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={t.addCommissionOf({ affiliate: nameOf(affiliate) })}
      submit={t.add}
      size="md"
      progress={create}
      onClose={onClose}
      onSubmit={form.onSubmit(({ amount_cents, currency, note }) =>
        create.mutate({ affiliate_id: affiliate.id, amount_cents: signedAmount(amount_cents, currency) ?? 0, currency, note }),
      )}
    >
      <Text>{t.aBonusOrACorrection}</Text>
      <TextInput label={t.amount} description={t.minusHint} required data-autofocus {...form.getInputProps('amount_cents')} />
      <NativeSelect label={t.currency} data={currencyChoices()} {...form.getInputProps('currency')} />
      <Textarea label={t.note} description={t.noteHint} required maxLength={500} {...form.getInputProps('note')} />
    </FormDialog>
  );
}

/** Parses a decimal amount, with or without a minus sign, into the minor unit. Returns null for other text. */
function signedAmount(text: string, currency: string): number | null {
  const [, sign, digits] = /^\s*([-−]?)(.*)$/.exec(text)!;
  const amount = parseDecimalAmount(digits!, currency);
  return amount === null || sign === '' ? amount : -amount;
}

function amountProblem(text: string, currency: string): string | null {
  const amount = signedAmount(text, currency);
  if (amount === null) return t.enterAmount({ currency, value: decimalAmount(1_250, currency) });
  return amount === 0 ? t.enterAmountNotZero : null;
}
