import type { Outputs } from '@affiliate/client';
import { Button, Checkbox, Fieldset, Group, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { currencyChoices } from '../components/currencies.ts';
import { MomentInput } from '../components/moment-input.tsx';
import { t } from '../texts/rewards.ts';
import { type Catalog, INTERVALS, PricePicker, ProductPicker } from './product-picker.tsx';
import { type Row, rowsFor, type Values } from './rule-values.ts';

type Tier = Outputs['tiers']['get'];

interface FieldsProps {
  form: UseFormReturnType<Values>;
  tiers: readonly Tier[];
  catalog: Catalog | null;
}

const NAMES: Record<Row, string> = {
  products: t.conditionProducts,
  prices: t.conditionPrices,
  interval: t.conditionInterval,
  tier: t.tiersTitle,
  customer: t.conditionCustomer,
  sale_number: t.conditionSaleNumber,
  age_months: t.conditionAge,
  codes: t.conditionCodes,
  countries: t.conditionCountries,
  amount: t.conditionAmount,
  metadata: t.conditionMetadata,
  cap: t.conditionCap,
  period: t.conditionPeriod,
};

/** The conditions of a rule: a row for each one that the rule has, and a select of the others. */
export function Conditions({ form, tiers, catalog }: FieldsProps) {
  const { kind, rows } = form.values;
  const [added, setAdded] = useState<Row | null>(null);
  const select = useRef<HTMLSelectElement>(null);
  const [chosen, choose] = useState<Row | null>(null);
  const possible = rowsFor(kind);
  const rest = possible.filter((row) => !rows.includes(row) && (row !== 'tier' || tiers.length > 0));
  const next = chosen !== null && rest.includes(chosen) ? chosen : rest[0];
  return (
    <>
      {possible
        .filter((row) => rows.includes(row))
        .map((row) => (
          <ConditionRow
            key={row}
            name={NAMES[row]}
            isNew={row === added}
            onRemove={() => {
              form.setFieldValue(
                'rows',
                rows.filter((other) => other !== row),
              );
              // The button that had the focus disappears.
              select.current?.focus();
            }}
          >
            {FIELDS[row]({ form, tiers, catalog })}
          </ConditionRow>
        ))}
      {next !== undefined && (
        <Group align="end">
          <NativeSelect
            ref={select}
            label={t.condition}
            data={rest.map((row) => ({ value: row, label: NAMES[row] }))}
            value={next}
            onChange={({ currentTarget }) => choose(currentTarget.value as Row)}
          />
          <Button
            variant="default"
            onClick={() => {
              form.setFieldValue('rows', [...rows, next]);
              setAdded(next);
            }}
          >
            {t.addCondition}
          </Button>
        </Group>
      )}
    </>
  );
}

interface ConditionRowProps {
  name: string;
  /** True if the person has just added the row. Its first field then takes the focus. */
  isNew: boolean;
  onRemove: () => void;
  children: ReactNode;
}

function ConditionRow({ name, isNew, onRemove, children }: ConditionRowProps) {
  const row = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const first = row.current?.elements[0];
    if (isNew && first instanceof HTMLElement) first.focus();
  }, [isNew]);
  return (
    <Fieldset ref={row} legend={name}>
      <Stack gap="sm">
        {children}
        <div>
          <Button variant="default" size="compact-sm" aria-label={t.removeOf({ name })} onClick={onRemove}>
            {t.remove}
          </Button>
        </div>
      </Stack>
    </Fieldset>
  );
}

const FIELDS: Record<Row, (props: FieldsProps) => ReactNode> = {
  products: (props) => <ProductFields {...props} />,
  prices: (props) => <PriceFields {...props} />,
  interval: ({ form }) => (
    <Checkbox.Group label={t.billed} {...form.getInputProps('interval')}>
      {Object.entries(INTERVALS).map(([value, label]) => (
        <Checkbox key={value} value={value} label={label} mt="xs" />
      ))}
    </Checkbox.Group>
  ),
  tier: (props) => <TierFields {...props} />,
  customer: ({ form }) => (
    <NativeSelect
      label={t.customers}
      data={[
        { value: 'new', label: t.newCustomers },
        { value: 'returning', label: t.returningCustomers },
      ]}
      {...form.getInputProps('customer')}
    />
  ),
  sale_number: ({ form }) => <Range form={form} name="sale_number" from={t.fromSale} to={t.toSale} hint={t.saleNumberHint} />,
  age_months: ({ form }) => <Range form={form} name="age_months" from={t.fromMonth} to={t.beforeMonth} hint={t.ageHint} />,
  codes: ({ form }) => <TextInput label={t.codes} description={t.codesHint} {...form.getInputProps('codes')} />,
  countries: ({ form }) => <TextInput label={t.countries} description={t.countriesHint} {...form.getInputProps('countries')} />,
  amount: ({ form }) => <AmountFields form={form} />,
  metadata: ({ form }) => <MetadataFields form={form} />,
  cap: ({ form }) => <CapFields form={form} />,
  period: ({ form }) => <PeriodFields form={form} />,
};

function ProductFields({ form, catalog }: FieldsProps) {
  const { products, prices } = form.values;
  const isKnown = catalog !== null && catalog.products.length > 0;
  return (
    <>
      {isKnown && (
        <ProductPicker
          catalog={catalog}
          chosen={products.chosen}
          onChange={(chosen) => {
            const isSold = (price: string) => chosen.includes(catalog.prices.find(({ id }) => id === price)?.product_id ?? '');
            form.setFieldValue('products.chosen', chosen);
            if (chosen.length > 0) form.setFieldValue('prices.chosen', prices.chosen.filter(isSold));
          }}
        />
      )}
      <TextInput
        label={isKnown ? t.otherProducts : t.products}
        description={isKnown ? t.otherProductsHint : t.productsHint}
        {...form.getInputProps('products.others')}
      />
    </>
  );
}

function PriceFields({ form, catalog }: FieldsProps) {
  const isKnown = catalog !== null && catalog.prices.length > 0;
  return (
    <>
      {isKnown && (
        <PricePicker
          catalog={catalog}
          products={form.values.products.chosen}
          chosen={form.values.prices.chosen}
          onChange={(chosen) => form.setFieldValue('prices.chosen', chosen)}
        />
      )}
      <TextInput label={isKnown ? t.otherPrices : t.prices} description={t.pricesHint} {...form.getInputProps('prices.others')} />
    </>
  );
}

function TierFields({ form, tiers }: FieldsProps) {
  const ended = form.values.tier.filter((chosen) => !tiers.some(({ id }) => id === chosen));
  return (
    <Checkbox.Group label={t.tiers} {...form.getInputProps('tier')}>
      {[...tiers, ...ended.map((id) => ({ id, name: t.endedTier }))].map(({ id, name }) => (
        <Checkbox key={id} value={id} label={name} mt="xs" />
      ))}
    </Checkbox.Group>
  );
}

type FormProps = Pick<FieldsProps, 'form'>;

interface RangeProps extends FormProps {
  name: 'sale_number' | 'age_months';
  from: string;
  to: string;
  hint: string;
}

function Range({ form, name, from, to, hint }: RangeProps) {
  return (
    <>
      <NumberInput label={from} min={0} allowDecimal={false} {...form.getInputProps(`${name}.from`)} />
      <NumberInput label={to} description={hint} min={0} allowDecimal={false} {...form.getInputProps(`${name}.to`)} />
    </>
  );
}

function AmountFields({ form }: FormProps) {
  const { currency } = form.values.amount;
  return (
    <>
      <NativeSelect label={t.currencyOfSale} data={currencyChoices()} {...form.getInputProps('amount.currency')} />
      <TextInput label={t.amountFrom({ currency })} inputMode="decimal" {...form.getInputProps('amount.from')} />
      <TextInput
        label={t.amountBelow({ currency })}
        description={t.amountHint({ currency })}
        inputMode="decimal"
        {...form.getInputProps('amount.to')}
      />
    </>
  );
}

/** Maximum number of keys in the condition. */
const MAX_KEYS = 10;

function MetadataFields({ form }: FormProps) {
  const { metadata } = form.values;
  return (
    <>
      {metadata.map((_, i) => (
        <Group key={i} align="end" grow>
          <TextInput label={t.metadataKey({ number: i + 1 })} maxLength={40} {...form.getInputProps(`metadata.${i}.key`)} />
          <TextInput label={t.metadataValues({ number: i + 1 })} {...form.getInputProps(`metadata.${i}.values`)} />
        </Group>
      ))}
      {metadata.length < MAX_KEYS && (
        <div>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => form.setFieldValue('metadata', [...metadata, { key: '', values: '' }])}
          >
            {t.addKey}
          </Button>
        </div>
      )}
    </>
  );
}

const CAP_SCOPES: Record<Values['cap']['per'], string> = {
  sale: t.capSale,
  referral: t.capReferral,
  affiliate: t.capAffiliate,
};
const CAP_WINDOWS: Record<Values['cap']['window'], string> = { ever: t.capEver, month: t.inEachMonth, year: t.inEachYear };

function CapFields({ form }: FormProps) {
  const { currency, per } = form.values.cap;
  return (
    <>
      <Group align="end" grow>
        <TextInput label={t.capIn({ currency })} inputMode="decimal" {...form.getInputProps('cap.amount')} />
        <NativeSelect label={t.currencyOfCap} data={currencyChoices()} {...form.getInputProps('cap.currency')} />
      </Group>
      <Text size="sm" c="dimmed">
        {t.capHint}
      </Text>
      <NativeSelect
        label={t.capPer}
        data={Object.entries(CAP_SCOPES).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('cap.per')}
      />
      {per !== 'sale' && (
        <NativeSelect
          label={t.countedOver}
          data={Object.entries(CAP_WINDOWS).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('cap.window')}
        />
      )}
    </>
  );
}

function PeriodFields({ form }: FormProps) {
  return (
    <>
      <MomentInput label={t.from} {...form.getInputProps('period.from')} />
      <MomentInput label={t.periodUntil} description={t.periodHint} {...form.getInputProps('period.until')} />
    </>
  );
}
