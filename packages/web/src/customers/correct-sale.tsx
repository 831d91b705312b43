import { decimalAmount, parseDecimalAmount } from '@affiliate/core/browser';
import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, skipToken, useMutation, useQuery } from '@tanstack/react-query';
import { client, type Outputs, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { DialogButton } from '../components/dialog-button.tsx';
import { Failure } from '../components/failure.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { notify } from '../components/notices.tsx';
import { t } from '../texts/correcting.ts';
import { type Sale, saleName } from './sale-columns.tsx';

const DELAY_MS = 200;

/** True if the merchant may correct the amounts of a sale. Those of a sale that Stripe reported come from Stripe. */
export function isCorrectable({ external_id, livemode }: Sale): boolean {
  return external_id !== null && livemode;
}

/** A button that corrects the amounts of a sale, e.g. of an order that has grown since the report. */
export function CorrectButton({ sale }: { sale: Sale }) {
  return (
    <DialogButton label={t.correctOf({ sale: saleName(sale) })} action={t.correct}>
      {(close) => <CorrectDialog sale={sale} onClose={close} />}
    </DialogButton>
  );
}

/** Lets the user enter the right amounts, shows what becomes of the commission, and corrects the sale. */
function CorrectDialog({ sale, onClose }: { sale: Sale; onClose: () => void }) {
  const { id, currency, charge_amount_cents: charged, tax_amount_cents: taxed } = sale;
  const problem = (text: string) =>
    parseDecimalAmount(text.trim(), currency) === null
      ? t.enterAmount({ currency, value: decimalAmount(charged, currency) })
      : null;
  const form = useForm({
    initialValues: { amount_cents: decimalAmount(charged, currency), tax_amount_cents: decimalAmount(taxed, currency) },
    validate: { amount_cents: problem, tax_amount_cents: problem },
    validateInputOnChange: true,
  });
  const { amount_cents, tax_amount_cents } = form.getValues();
  const amount = parseDecimalAmount(amount_cents.trim(), currency);
  const tax = parseDecimalAmount(tax_amount_cents.trim(), currency);
  const isChanged = amount !== null && tax !== null && (amount !== charged || tax !== taxed);
  const change = isChanged ? { id, amount_cents: amount, tax_amount_cents: tax } : null;
  const [asked] = useDebouncedValue(change, DELAY_MS);
  const isAsked = change !== null && JSON.stringify(asked) === JSON.stringify(change);
  const preview = useQuery({
    queryKey: ['correction', asked],
    queryFn: asked ? () => client.sales.update.mutate({ ...asked, dry_run: true }) : skipToken,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isPreviewed = isAsked && preview.isSuccess && !preview.isPlaceholderData;
  const correct = useMutation(
    trpc.sales.update.mutationOptions({
      onSuccess: () => {
        notify(t.corrected({ sale: saleName(sale) }));
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={t.correctSale({ amount: formatMoney(charged, currency) })}
      submit={t.correct}
      disabled={!isPreviewed}
      progress={correct}
      onClose={onClose}
      onSubmit={form.onSubmit(() => {
        if (change !== null && isPreviewed) correct.mutate(change);
      })}
    >
      <Text>{t.correctHint}</Text>
      <TextInput label={t.amount({ currency })} required data-autofocus {...form.getInputProps('amount_cents')} />
      <TextInput label={t.tax({ currency })} required {...form.getInputProps('tax_amount_cents')} />
      {isAsked && preview.isError && <Failure error={preview.error} />}
      {isPreviewed && <Text role="status">{effectOf(preview.data)}</Text>}
    </FormDialog>
  );
}

/** Says what a correction changes for the affiliate. */
function effectOf({ commission, adjustment }: Outputs['sales']['update']): string {
  if (adjustment !== null)
    return t.adjusts({
      amount: formatMoney(adjustment.amount_cents, adjustment.currency),
      commission: commission === null ? '' : formatMoney(commission.amount_cents, commission.currency),
    });
  return commission === null ? t.earnsNothing : t.earns({ amount: formatMoney(commission.amount_cents, commission.currency) });
}
