import { Group, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { currencyChoices } from '../components/currencies.ts';
import { t } from '../texts/rewards.ts';
import type { Values } from './rule-values.ts';
import { METRICS } from './tiers.tsx';

interface PayFieldsProps {
  form: UseFormReturnType<Values>;
  /** True if the rule is stored already. */
  isStored: boolean;
}

/** Fields for the payment of a rule, and for its goal. */
export function PayFields({ form, isStored }: PayFieldsProps) {
  const { kind, pays, fixed } = form.values;
  const isOfSales = kind === 'sale' || kind === 'on_top';
  const isFixed = !isOfSales || pays === 'fixed';
  return (
    <>
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
      {isFixed && (
        <Group align="end" grow>
          <TextInput
            label={t.amountIn({ currency: fixed.currency })}
            inputMode="decimal"
            {...form.getInputProps('fixed.amount')}
          />
          <NativeSelect label={t.currencyOfPay} data={currencyChoices()} {...form.getInputProps('fixed.currency')} />
        </Group>
      )}
      {isFixed && isOfSales && (
        <NativeSelect
          label={t.paidFor}
          data={[
            { value: 'sale', label: t.perSale },
            { value: 'unit', label: t.perUnit },
          ]}
          {...form.getInputProps('fixed.per')}
        />
      )}
      {kind === 'milestone' && <MilestoneFields form={form} isStored={isStored} />}
      {kind === 'lead' && (
        <NumberInput
          label={t.holdDays}
          description={t.holdDaysHint}
          min={0}
          max={365}
          allowDecimal={false}
          {...form.getInputProps('hold_days')}
        />
      )}
    </>
  );
}

const WINDOWS: Record<Values['milestone']['window'], string> = {
  ever: t.sinceTheRule,
  month: t.inEachMonth,
  quarter: t.inEachQuarter,
};

function MilestoneFields({ form, isStored }: PayFieldsProps) {
  const { milestone, fixed } = form.values;
  return (
    <>
      <NativeSelect
        label={t.goal}
        description={isStored && t.countsAgain}
        data={Object.entries(METRICS).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('milestone.metric')}
      />
      {milestone.metric === 'revenue' ? (
        <TextInput
          label={t.goalIn({ currency: fixed.currency })}
          inputMode="decimal"
          {...form.getInputProps('milestone.revenue')}
        />
      ) : (
        <NumberInput label={t.goalNumber} min={1} allowDecimal={false} {...form.getInputProps('milestone.count')} />
      )}
      <NativeSelect
        label={t.howOften}
        data={[
          { value: 'every', label: t.atEvery },
          { value: 'at', label: t.atOnce },
        ]}
        {...form.getInputProps('milestone.pays')}
      />
      <NativeSelect
        label={t.countedOver}
        data={Object.entries(WINDOWS).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('milestone.window')}
      />
    </>
  );
}
