import type { Inputs, Outputs } from '@affiliate/client';
import { parseDecimalAmount } from '@affiliate/core/browser';
import { Button, Group, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { Failure } from '../components/failure.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { useMember } from '../session/session.tsx';
import { LOCALE } from '../texts/language.ts';
import { onDemand } from '../texts/on-demand.ts';
import { t } from '../texts/rewards.ts';

type Sold = Outputs['commissions']['list']['data'][number];
type TriedSale = Omit<Inputs['rewardRules']['preview'], 'id'>;

/** Number of past sales that are offered. */
const OFFERED = 20;
const DAY = onDemand(() => new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' }));

/** Says what a sale would earn now, and which rule decides: a past sale of the campaign, or an invented one. */
export function TryOut({ campaign, tiers }: { campaign: Campaign; tiers: readonly { id: string; name: string }[] }) {
  const { currency } = useMember().account;
  const campaignId = campaign.id;
  const form = useForm({ initialValues: INITIAL });
  const sales = useQuery(
    trpc.commissions.list.queryOptions({ campaign_id: campaignId, limit: OFFERED, expand: ['lines', 'sale'] }),
  );
  const past = (sales.data?.data ?? []).filter(({ kind, sale }) => kind === 'sale' && sale != null);
  const preview = useMutation({
    mutationFn: (sale: TriedSale) => client.rewardRules.preview.mutate({ id: campaignId, ...sale }),
    onMutate: () => later.reset(),
  });
  const later = useMutation({
    mutationFn: ({ sale, months }: { sale: TriedSale; months: readonly number[] }) =>
      Promise.all(
        months.map(async (month) => ({
          month,
          preview: await client.rewardRules.preview.mutate({ id: campaignId, ...sale, ...inMonth(month) }),
        })),
      ),
  });
  const cents = parseDecimalAmount(form.values.amount, currency);
  const chosen = past.find(({ id }) => id === form.values.past);
  const { age_months, sale_number } = preview.variables ?? {};
  const isOver = age_months !== undefined && sale_number !== undefined && isOverBy(campaign, { age_months, sale_number });
  return (
    <Section title={t.tryOut}>
      <form
        data-saves-nothing
        onSubmit={form.onSubmit(({ product, tier, code, month, ...values }) => {
          const named = product.trim();
          const place = placeOf({ month, ...values });
          if (chosen) preview.mutate({ ...saleOf(chosen), ...place });
          else if (cents !== null) {
            const invented = {
              currency,
              lines: [{ amount_cents: cents, ...(named !== '' && { product: named }) }],
              tier_ids: tier === '' ? [] : [tier],
              codes: code.trim() === '' ? [] : [code.trim()],
            };
            const months = [...new Set([...MONTHS, Number(month) || 1])].toSorted((a, b) => a - b);
            preview.mutate({ ...invented, ...place }, { onSuccess: () => later.mutate({ sale: invented, months }) });
          }
        })}
      >
        <Group align="end">
          {past.length > 0 && (
            <NativeSelect
              label={t.sale}
              data={[{ value: '', label: t.inventedSale }, ...past.map((each) => ({ value: each.id, label: nameOf(each) }))]}
              {...form.getInputProps('past')}
            />
          )}
          {!chosen && (
            <>
              <TextInput label={t.product} {...form.getInputProps('product')} />
              <TextInput label={t.saleOf({ currency })} inputMode="decimal" {...form.getInputProps('amount')} />
              {tiers.length > 0 && (
                <NativeSelect
                  label={t.tierOfAffiliate}
                  data={[{ value: '', label: t.noTier }, ...tiers.map(({ id, name }) => ({ value: id, label: name }))]}
                  {...form.getInputProps('tier')}
                />
              )}
              <TextInput label={t.code} {...form.getInputProps('code')} />
            </>
          )}
          <NumberInput label={t.monthOfCustomer} {...PLACE} max={MAX_MONTH} {...form.getInputProps('month')} />
          <NumberInput
            label={t.numberOfSale}
            placeholder={t.likeTheMonth}
            {...PLACE}
            max={MAX_NUMBER}
            {...form.getInputProps('number')}
          />
          <NativeSelect
            label={t.customer}
            data={[
              { value: '', label: t.newAtFirstSale },
              { value: 'new', label: t.newCustomer },
              { value: 'returning', label: t.returningCustomer },
            ]}
            {...form.getInputProps('customer')}
          />
          <Button type="submit" variant="default" disabled={!chosen && cents === null} loading={preview.isPending}>
            {t.calculate}
          </Button>
        </Group>
      </form>
      {[preview, later].map(({ error }, at) => error !== null && <Failure key={at} error={error} />)}
      {preview.data && isOver && (
        <Text mt="sm" role="status">
          {t.overByCampaign}
        </Text>
      )}
      {preview.data && !isOver && (
        <Stack gap="xs" mt="sm" aria-live="polite">
          {preview.data.lines.length > 1 && (
            <Text fw={600}>{t.wouldEarnInAll({ amount: formatMoney(preview.data.amount_cents, preview.data.currency) })}</Text>
          )}
          {preview.data.lines.map(({ product, rule_name, amount_cents, note }, i) => (
            <div key={`${i} ${product}`}>
              <Text>
                {[
                  preview.data.lines.length > 1 ? `${product ?? t.noProduct}. ` : '',
                  t.wouldEarn({ amount: formatMoney(amount_cents, preview.data.currency), rule: rule_name ?? t.baseReward }),
                ].join('')}
              </Text>
              {note !== null && <Text size="sm">{NOTES[note]}</Text>}
            </div>
          ))}
          {preview.data.bonuses.map((bonus) => (
            <Text key={bonus.rule_id}>{bonusIn(bonus)}</Text>
          ))}
        </Stack>
      )}
      {later.data && <Timeline campaign={campaign} rows={later.data} />}
    </Section>
  );
}

type Campaign = Outputs['campaigns']['get'];
type Preview = Outputs['rewardRules']['preview'];

type Values = typeof INITIAL;

const INITIAL = {
  past: '',
  product: '',
  amount: '100',
  tier: '',
  code: '',
  month: 1 as number | string,
  number: '' as number | string,
  customer: '' as '' | 'new' | 'returning',
};

/** The greatest month and number of a sale that the service takes. */
const MAX_MONTH = 1_201;
const MAX_NUMBER = 1_000_000;
const PLACE = { min: 1, allowDecimal: false, allowNegative: false, w: 150 };

/** The place of a sale among those of its customer. What is left open follows from the rest, as for a customer who pays every month. */
function placeOf({ month, number, customer }: Pick<Values, 'month' | 'number' | 'customer'>) {
  const own = Number(month) || 1;
  const sale_number = Number(number) || own;
  const byNumber = sale_number === 1 ? 'new' : 'returning';
  return { age_months: own - 1, sale_number, customer: customer === '' ? byNumber : customer } as const;
}

/** Months of a customer who pays every month, counted from 1, in which the rules often change. */
const MONTHS = [1, 2, 12, 13];

/** The facts about the monthly sale to a customer in a month. */
function inMonth(month: number) {
  return placeOf({ month, number: '', customer: '' });
}

/** The earnings from the monthly sales to a customer over time. */
function Timeline({ campaign, rows }: { campaign: Campaign; rows: { month: number; preview: Preview }[] }) {
  const isOver = (month: number) => isOverBy(campaign, inMonth(month));
  const columns: Column<(typeof rows)[number]>[] = [
    { header: t.month, cell: ({ month }) => month.toLocaleString(LOCALE) },
    {
      header: t.earns,
      numeric: true,
      cell: ({ month, preview }) => formatMoney(isOver(month) ? 0 : preview.amount_cents, preview.currency),
    },
    {
      header: t.rule,
      cell: ({ month, preview }) =>
        isOver(month)
          ? t.overByCampaign
          : [...preview.lines.map(({ rule_name }) => rule_name ?? t.baseReward), ...preview.bonuses.map(bonusIn)].join(', '),
    },
  ];
  return <RecordTable caption={t.customerOverTime} columns={columns} rows={rows} keyOf={({ month }) => String(month)} />;
}

/** True if the campaign pays nothing any more for a sale, whatever the rules say. */
function isOverBy(
  { max_commission_period_months: months, max_commissions: most }: Campaign,
  { age_months, sale_number }: { age_months: number; sale_number: number },
): boolean {
  return (months !== null && age_months >= months) || (most !== null && sale_number > most);
}

function bonusIn({ amount_cents, currency, rule_name }: Preview['bonuses'][number]): string {
  return t.andBonus({ amount: formatMoney(amount_cents, currency), rule: rule_name });
}

const NOTES: Record<NonNullable<Outputs['rewardRules']['preview']['lines'][number]['note']>, string> = {
  other_currency: t.paysOtherCurrency,
  cap_other_currency: t.capDoesNotCount,
};

function nameOf({ sale, lines }: Sold): string {
  const names = (lines ?? []).map(({ name, product }) => name ?? product).filter((name) => name !== null);
  const amount = formatMoney(sale!.sale_amount_cents, sale!.currency);
  return [DAY().format(new Date(sale!.charged_at)), amount, ...names].join(', ');
}

/** Returns a past sale as it is now, after refunds, with its lines if they are known. */
function saleOf({ sale, lines, affiliate_id }: Sold): TriedSale {
  const known = (lines ?? []).map(({ product, price, interval, quantity, base_cents }) => ({
    ...(product !== null && { product }),
    ...(price !== null && { price }),
    ...(interval !== null && { interval }),
    quantity,
    amount_cents: base_cents,
  }));
  const { currency, sale_amount_cents } = sale!;
  return { affiliate_id, currency, lines: known.length === 0 ? [{ amount_cents: sale_amount_cents }] : known };
}
