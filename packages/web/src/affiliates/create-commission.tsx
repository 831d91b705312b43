import { decimalAmount, parseDecimalAmount } from '@affiliate/core/browser';
import { NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { formatMoney } from '../components/amounts.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { CURRENCY_CHOICES } from '../components/currencies.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { notify } from '../components/notices.tsx';
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
        notify(`Commission added: ${formatMoney(amount_cents, currency)}`);
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={`Add commission: ${nameOf(affiliate)}`}
      submit="Add"
      size="md"
      progress={create}
      onClose={onClose}
      onSubmit={form.onSubmit(({ amount_cents, currency, note }) =>
        create.mutate({ affiliate_id: affiliate.id, amount_cents: signedAmount(amount_cents, currency) ?? 0, currency, note }),
      )}
    >
      <Text>A bonus or a correction that belongs to no sale. It is due at once and goes into the affiliate’s open payout.</Text>
      <TextInput
        label="Amount"
        description="Put a minus sign in front to reduce the open payout."
        required
        data-autofocus
        {...form.getInputProps('amount_cents')}
      />
      <NativeSelect label="Currency" data={CURRENCY_CHOICES} {...form.getInputProps('currency')} />
      <Textarea
        label="Note"
        description="What it is for, e.g. bonus for November."
        required
        maxLength={500}
        {...form.getInputProps('note')}
      />
    </FormDialog>
  );
}

/** An amount in the minor unit, negative with a minus sign; null for other text. */
function signedAmount(text: string, currency: string): number | null {
  const [, sign, digits] = /^\s*([-−]?)(.*)$/.exec(text)!;
  const amount = parseDecimalAmount(digits!, currency);
  return amount === null || sign === '' ? amount : -amount;
}

function amountProblem(text: string, currency: string): string | null {
  const amount = signedAmount(text, currency);
  if (amount === null) return `Enter an amount in ${currency}, e.g. ${decimalAmount(1_250, currency)}.`;
  return amount === 0 ? 'Enter an amount other than 0.' : null;
}
