import { parseDecimalAmount } from '@affiliate/core/browser';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { Failure } from '../components/failure.tsx';
import { Section } from '../components/section.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/rewards.ts';

/** Says what a sale would earn now, and which rule decides. */
export function TryOut({ campaignId }: { campaignId: string }) {
  const { currency } = useMember().account;
  const form = useForm({ initialValues: { product: '', amount: '100' } });
  const preview = useMutation({
    mutationFn: ({ product, amount_cents }: { product: string; amount_cents: number }) =>
      client.rewardRules.preview.mutate({
        id: campaignId,
        currency,
        lines: [{ amount_cents, ...(product !== '' && { product }) }],
      }),
  });
  const cents = parseDecimalAmount(form.values.amount, currency);
  const [line] = preview.data?.lines ?? [];
  return (
    <Section title={t.tryOut}>
      <form
        onSubmit={form.onSubmit(({ product }) => {
          if (cents !== null) preview.mutate({ product: product.trim(), amount_cents: cents });
        })}
      >
        <Group align="end">
          <TextInput label={t.product} {...form.getInputProps('product')} />
          <TextInput label={t.saleOf({ currency })} inputMode="decimal" {...form.getInputProps('amount')} />
          <Button type="submit" variant="default" disabled={cents === null} loading={preview.isPending}>
            {t.calculate}
          </Button>
        </Group>
      </form>
      {preview.isError && <Failure error={preview.error} />}
      {preview.data && line && (
        <Text mt="sm" aria-live="polite">
          {t.wouldEarn({
            amount: formatMoney(preview.data.amount_cents, preview.data.currency),
            rule: line.rule_name ?? t.baseReward,
          })}
        </Text>
      )}
    </Section>
  );
}
