import type { Inputs, Outputs } from '@affiliate/client';
import { parseDecimalAmount } from '@affiliate/core/browser';
import { Checkbox, NativeSelect, NumberInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/rewards.ts';
import { Effect } from './effect.tsx';
import { type Catalog, ProductPicker } from './product-picker.tsx';
import { sentenceOf } from './sentence.ts';

type Tier = Outputs['tiers']['get'];
type NewRule = Omit<Inputs['rewardRules']['create'], 'campaign_id' | 'name'>;

interface Values {
  kind: 'sale' | 'on_top' | 'lead' | 'milestone';
  pays: 'percent' | 'fixed' | 'nothing';
  percent: number | string;
  amount: string;
  products: string;
  chosen: string[];
  prices: string[];
  tiers: string[];
  every: number | string;
}

interface CreateRuleProps {
  campaignId: string;
  tiers: readonly Tier[];
  catalog: Catalog | null;
  nameOf: (ruleId: string | null) => string | null;
  onClose: () => void;
}

/** Writes a rule of a campaign, which the dialog shows as a sentence. */
export function CreateRule({ campaignId, tiers, catalog, nameOf, onClose }: CreateRuleProps) {
  const { account } = useMember();
  const form = useForm<Values>({
    initialValues: {
      kind: 'sale',
      pays: 'percent',
      percent: 20,
      amount: '',
      products: '',
      chosen: [],
      prices: [],
      tiers: [],
      every: 10,
    },
  });
  const rule = ruleOf(form.values, account.currency);
  const sentence = rule && sentenceOf({ ...rule, pay: rule.pay as Outputs['rewardRules']['get']['pay'] }, tiers, catalog);
  const create = useMutation(trpc.rewardRules.create.mutationOptions({ onSuccess: onClose }));
  const { kind, pays } = form.values;
  const isOfSales = kind === 'sale' || kind === 'on_top';
  const isKnown = catalog !== null && catalog.products.length > 0;
  return (
    <FormDialog
      title={t.addRule}
      submit={t.add}
      progress={create}
      disabled={rule === null}
      onClose={onClose}
      onSubmit={form.onSubmit(() => {
        if (rule !== null && sentence !== null) create.mutate({ campaign_id: campaignId, name: sentence.slice(0, 200), ...rule });
      })}
    >
      <NativeSelect
        label={t.paysFor}
        data={[
          { value: 'sale', label: t.forSales },
          { value: 'on_top', label: t.onTopOfSales },
          { value: 'lead', label: t.forLeads },
          { value: 'milestone', label: t.forMilestones },
        ]}
        {...form.getInputProps('kind')}
      />
      {isOfSales && (
        <NativeSelect
          label={t.pays}
          data={[
            { value: 'percent', label: t.aShare },
            { value: 'fixed', label: t.anAmount },
            ...(kind === 'sale' ? [{ value: 'nothing', label: t.nothing }] : []),
          ]}
          {...form.getInputProps('pays')}
        />
      )}
      {isOfSales && pays === 'percent' && (
        <NumberInput label={t.share} min={0} max={100} decimalScale={2} suffix="%" {...form.getInputProps('percent')} />
      )}
      {(!isOfSales || pays === 'fixed') && (
        <TextInput label={t.amountIn({ currency: account.currency })} inputMode="decimal" {...form.getInputProps('amount')} />
      )}
      {kind === 'milestone' && <NumberInput label={t.everyCustomers} min={1} {...form.getInputProps('every')} />}
      {isOfSales && isKnown && (
        <ProductPicker
          catalog={catalog}
          products={form.values.chosen}
          prices={form.values.prices}
          onChange={({ products, prices }) => form.setValues({ chosen: products, prices })}
        />
      )}
      {isOfSales && (
        <TextInput
          label={isKnown ? t.otherProducts : t.products}
          description={isKnown ? t.otherProductsHint : t.productsHint}
          {...form.getInputProps('products')}
        />
      )}
      {tiers.length > 0 && (
        <Checkbox.Group label={t.tiers} {...form.getInputProps('tiers')}>
          {tiers.map(({ id, name }) => (
            <Checkbox key={id} value={id} label={name} mt="xs" />
          ))}
        </Checkbox.Group>
      )}
      <Text fw={600} aria-live="polite">
        {sentence ?? t.incomplete}
      </Text>
      {rule !== null && sentence !== null && (
        <Effect campaignId={campaignId} change={{ create: { name: sentence.slice(0, 200), ...rule } }} nameOf={nameOf} />
      )}
    </FormDialog>
  );
}

/** Returns the rule that the form describes, or null while it is incomplete. */
function ruleOf(
  { kind, pays, percent, amount, products, chosen, prices, tiers, every }: Values,
  currency: string,
): NewRule | null {
  const isOfSales = kind === 'sale' || kind === 'on_top';
  const typed = products
    .split(',')
    .map((product) => product.trim())
    .filter((product) => product !== '');
  const named = [...new Set([...chosen, ...typed])];
  const when = {
    ...(isOfSales && named.length > 0 && { products: named }),
    ...(isOfSales && prices.length > 0 && { prices }),
    ...(tiers.length > 0 && { tier: tiers }),
  };
  const pay = payOf(isOfSales ? pays : 'fixed', { percent, amount, currency });
  if (pay === null || (kind === 'on_top' && pay.nothing)) return null;
  if (kind === 'lead') return { event: 'lead', when, pay };
  if (kind === 'sale') return { when, pay };
  if (kind === 'on_top') return { when, pay, apply: 'on_top' };
  return typeof every === 'number' ? { event: 'milestone', when, pay, milestone: { metric: 'customers', every } } : null;
}

function payOf(
  pays: Values['pays'],
  { percent, amount, currency }: Pick<Values, 'percent' | 'amount'> & { currency: string },
): NewRule['pay'] | null {
  if (pays === 'nothing') return { nothing: true };
  if (pays === 'percent') return typeof percent === 'number' ? { percent } : null;
  const cents = parseDecimalAmount(amount, currency);
  return cents === null || cents <= 0 ? null : { fixed: { amount_cents: cents, currency, per: 'sale' } };
}
