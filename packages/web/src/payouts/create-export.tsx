import type { ExportFormat } from '@affiliate/core/browser';
import { List, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { RecordLink } from '../components/cells.tsx';
import { Filled } from '../components/filled.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { t } from '../texts/payouts.ts';
import { FORMATS } from './formats.ts';
import { usePayoutSummary } from './payout-summary.tsx';
import { type Payout, modeOf } from './payout.ts';

type FormatCheck = Outputs['payoutExports']['check']['formats'][number];
type LeftOut = FormatCheck['left_out'][number];

/** Number of left out payouts that the dialog names. */
const NAMED = 5;

/** Creates a payout export and opens the list of exports. Says before which payouts the chosen format cannot pay. */
export function CreateExport({ payouts, onClose }: { payouts: Payout[]; onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm({ initialValues: { export_format: 'csv' as ExportFormat, notes: '' } });
  const create = useMutation(
    trpc.payoutExports.create.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: () => navigate('/payouts/exports'),
    }),
  );
  const selection = payouts.length > 0 ? { payout_ids: payouts.map(({ id }) => id) } : {};
  const check = useQuery(trpc.payoutExports.check.queryOptions({ ...modeOf(payouts), ...selection }));
  const checkOf = (format: ExportFormat) => check.data?.formats.find(({ export_format }) => export_format === format);
  const chosen = checkOf(form.getValues().export_format);
  const { summary, isEmpty } = usePayoutSummary(payouts);
  return (
    <FormDialog
      title={t.exportPayouts}
      submit={t.export}
      progress={create}
      disabled={isEmpty || chosen?.payouts_count === 0}
      onClose={onClose}
      onSubmit={form.onSubmit(({ export_format, notes }) =>
        create.mutate({
          export_format,
          ...modeOf(payouts),
          ...selection,
          // The dialog has named the payouts that are left out.
          leave_out_unpayable: true,
          ...(notes.trim() === '' ? {} : { notes }),
        }),
      )}
    >
      {summary}
      <Text size="sm">{t.theExportHoldsThesePayouts}</Text>
      <Radio.Group label={t.format} {...form.getInputProps('export_format')}>
        <Stack gap="xs" mt="xs">
          {FORMATS.filter(({ value }) => !check.data || checkOf(value)).map(({ value, label, description }) => (
            <Radio key={value} value={value} label={label} description={describe(description, checkOf(value))} />
          ))}
        </Stack>
      </Radio.Group>
      {chosen && chosen.left_out_count > 0 && <LeftOutPayouts check={chosen} />}
      <Textarea label={t.notes} description={t.notesHint} maxLength={2_000} {...form.getInputProps('notes')} />
    </FormDialog>
  );
}

function describe(format: string, check: FormatCheck | undefined): string {
  if (!check) return format;
  const { payouts_count, left_out_count } = check;
  const all = payouts_count + left_out_count;
  const pays = left_out_count === 0 ? t.exportsAllOf(all) : t.exportsSomeOf(payouts_count, { all });
  return `${format} ${pays}.`;
}

function LeftOutPayouts({ check: { export_format, left_out, left_out_count } }: { check: FormatCheck }) {
  const named = left_out.slice(0, NAMED);
  const wallet = FORMATS.find(({ value }) => value === export_format)?.label ?? '';
  return (
    <div role="status">
      <Text size="sm">{t.leftOutPayouts}</Text>
      <List size="sm">
        {named.map((payout) => (
          <List.Item key={payout.payout_id}>
            <Reason payout={payout} wallet={wallet} />
          </List.Item>
        ))}
        {left_out_count > named.length && <List.Item>{t.andMorePayouts(left_out_count - named.length)}</List.Item>}
      </List>
    </div>
  );
}

/** Says why a file cannot pay a payout. */
function Reason({ payout: { code, affiliate_id, affiliate_name }, wallet }: { payout: LeftOut; wallet: string }) {
  const name = <RecordLink to={`/affiliates/${affiliate_id}`}>{affiliate_name}</RecordLink>;
  if (code === 'missing_wallet_address') return <Filled text={t.affiliateWithoutWallet} values={{ name, wallet }} />;
  const texts = {
    unsafe_wallet_address: t.affiliateWithUnsafeWallet,
    mixed_currencies: t.otherCurrency,
    fractional_amount: t.fractionUnpayable,
    unsupported_currency: t.otherCurrencyThanFormat,
    unsupported_amount: t.tooLargeForFormat,
    method_paused: t.methodPaused,
    below_minimum: t.belowMinimumOfMethod,
    fee_exceeds_amount: t.feeExceedsAmount,
    too_many_rows: t.fileIsFull,
  };
  return <Filled text={texts[code]} values={{ name }} />;
}
