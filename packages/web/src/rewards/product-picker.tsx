import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Outputs } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { t } from '../texts/rewards.ts';

export type Catalog = Outputs['pspConnection']['catalog'];

/** Number of products or prices that are shown at once, besides the chosen ones. */
const SHOWN = 10;

interface PickerProps {
  catalog: Catalog;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Chooses products of the connected payment provider by name. */
export function ProductPicker({ catalog, ...props }: PickerProps) {
  return <NamePicker label={t.products} find={t.findProduct} choices={catalog.products} {...props} />;
}

/** Chooses prices of the connected payment provider: those of the chosen products, or of all. */
export function PricePicker({ catalog, products, ...props }: PickerProps & { products: readonly string[] }) {
  const offered = catalog.prices.filter(
    ({ id, product_id, active }) =>
      props.chosen.includes(id) || (active && (products.length === 0 || products.includes(product_id))),
  );
  const choices = offered.map((price) => ({ id: price.id, name: priceIn(price, catalog) }));
  return <NamePicker label={t.prices} find={t.findPrice} choices={choices} {...props} />;
}

interface NamePickerProps extends Omit<PickerProps, 'catalog'> {
  label: string;
  find: string;
  choices: readonly { id: string; name: string }[];
}

function NamePicker({ label, find, choices, chosen, onChange }: NamePickerProps) {
  const [sought, seek] = useState('');
  const found = choices.filter(({ name }) => name.toLowerCase().includes(sought.trim().toLowerCase())).slice(0, SHOWN);
  const shown = choices.filter((choice) => chosen.includes(choice.id) || found.includes(choice));
  return (
    <>
      {choices.length > SHOWN && (
        <TextInput label={find} value={sought} onChange={({ currentTarget }) => seek(currentTarget.value)} />
      )}
      <Checkbox.Group label={label} value={[...chosen]} onChange={onChange}>
        {shown.map(({ id, name }) => (
          <Checkbox key={id} value={id} label={name} mt="xs" />
        ))}
      </Checkbox.Group>
    </>
  );
}

/** Names of the intervals of prices. */
export const INTERVALS = { day: t.daily, week: t.weekly, month: t.monthly, year: t.yearly, one_time: t.once } as const;

function priceIn({ name, product_id, unit_cents, currency, interval }: Catalog['prices'][number], { products }: Catalog): string {
  const product = products.find(({ id }) => id === product_id)?.name ?? product_id;
  const amount = unit_cents === null ? null : formatMoney(unit_cents, currency);
  return [name ?? product, amount, INTERVALS[interval]].filter((part) => part !== null).join(', ');
}
