import type { Inputs, Outputs } from '@affiliate/client';
import { parseDecimalAmount } from '@affiliate/core/browser';
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { Failure } from '../components/failure.tsx';
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
export function TryOut({ campaignId }: { campaignId: string }) {
  const { currency } = useMember().account;
  const form = useForm({ initialValues: { past: '', product: '', amount: '100' } });
  const sales = useQuery(
    trpc.commissions.list.queryOptions({ campaign_id: campaignId, limit: OFFERED, expand: ['lines', 'sale'] }),
  );
  const past = (sales.data?.data ?? []).filter(({ kind, sale }) => kind === 'sale' && sale != null);
  const preview = useMutation({
    mutationFn: (sale: TriedSale) => client.rewardRules.preview.mutate({ id: campaignId, ...sale }),
  });
  const cents = parseDecimalAmount(form.values.amount, currency);
  const chosen = past.find(({ id }) => id === form.values.past);
  return (
    <Section title={t.tryOut}>
      <form
        onSubmit={form.onSubmit(({ product }) => {
          const named = product.trim();
          if (chosen) preview.mutate(saleOf(chosen));
          else if (cents !== null)
            preview.mutate({ currency, lines: [{ amount_cents: cents, ...(named !== '' && { product: named }) }] });
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
            </>
          )}
          <Button type="submit" variant="default" disabled={!chosen && cents === null} loading={preview.isPending}>
            {t.calculate}
          </Button>
        </Group>
      </form>
      {preview.isError && <Failure error={preview.error} />}
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
        </Stack>
      )}
    </Section>
  );
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
