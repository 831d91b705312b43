import type { Inputs, Outputs } from '@affiliate/client';
import { parseDecimalAmount } from '@affiliate/core/browser';
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
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
  const form = useForm({ initialValues: { past: '', product: '', amount: '100', tier: '', code: '' } });
  const sales = useQuery(
    trpc.commissions.list.queryOptions({ campaign_id: campaignId, limit: OFFERED, expand: ['lines', 'sale'] }),
  );
  const past = (sales.data?.data ?? []).filter(({ kind, sale }) => kind === 'sale' && sale != null);
  const preview = useMutation({
    mutationFn: (sale: TriedSale) => client.rewardRules.preview.mutate({ id: campaignId, ...sale }),
    onMutate: () => later.reset(),
  });
  const later = useMutation({
    mutationFn: (sale: TriedSale) =>
      Promise.all(MONTHS.map((month) => client.rewardRules.preview.mutate({ id: campaignId, ...sale, ...inMonth(month) }))),
  });
  const cents = parseDecimalAmount(form.values.amount, currency);
  const chosen = past.find(({ id }) => id === form.values.past);
  return (
    <Section title={t.tryOut}>
      <form
        data-saves-nothing
        onSubmit={form.onSubmit(({ product, tier, code }) => {
          const named = product.trim();
          if (chosen) preview.mutate(saleOf(chosen));
          else if (cents !== null) {
            const invented = {
              currency,
              lines: [{ amount_cents: cents, ...(named !== '' && { product: named }) }],
              tier_ids: tier === '' ? [] : [tier],
              codes: code.trim() === '' ? [] : [code.trim()],
            };
            preview.mutate(invented, { onSuccess: () => later.mutate(invented) });
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
              <TextInput label={t.codeOfSale} {...form.getInputProps('code')} />
            </>
          )}
          <Button type="submit" variant="default" disabled={!chosen && cents === null} loading={preview.isPending}>
            {t.calculate}
          </Button>
        </Group>
      </form>
      {[preview, later].map(({ error }, at) => error !== null && <Failure key={at} error={error} />)}
      {preview.data && (
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
      {later.data && <Timeline campaign={campaign} previews={later.data} />}
    </Section>
  );
}

type Campaign = Outputs['campaigns']['get'];
type Preview = Outputs['rewardRules']['preview'];

/** Months of a customer who pays every month, counted from 1, in which the rules often change. */
const MONTHS = [1, 2, 12, 13];

/** The facts about the monthly sale to a customer in a month. */
function inMonth(month: number) {
  return { age_months: month - 1, sale_number: month, customer: month === 1 ? 'new' : 'returning' } as const;
}

/** The earnings from the monthly sales to a customer over time. */
function Timeline({ campaign, previews }: { campaign: Campaign; previews: readonly Preview[] }) {
  const { max_commission_period_months: months, max_commissions: most } = campaign;
  const isOver = (month: number) => (months !== null && month > months) || (most !== null && month > most);
  const columns: Column<{ month: number; preview: Preview }>[] = [
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
  return (
    <RecordTable
      caption={t.customerOverTime}
      columns={columns}
      rows={previews.map((preview, at) => ({ month: MONTHS[at]!, preview }))}
      keyOf={({ month }) => String(month)}
    />
  );
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
