import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Outputs } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { t } from '../texts/rewards.ts';

export type Catalog = Outputs['pspConnection']['catalog'];

/** Number of products that are shown at once, besides the chosen ones. */
const SHOWN = 10;

interface ProductPickerProps {
  catalog: Catalog;
  products: readonly string[];
  prices: readonly string[];
  onChange: (chosen: { products: string[]; prices: string[] }) => void;
}

/** Chooses products of the connected payment provider by name, and prices of the chosen products. */
export function ProductPicker({ catalog, products, prices, onChange }: ProductPickerProps) {
  const [sought, seek] = useState('');
  const found = catalog.products.filter(({ name }) => name.toLowerCase().includes(sought.trim().toLowerCase()));
  const shown = catalog.products.filter((product) => products.includes(product.id) || found.slice(0, SHOWN).includes(product));
  const offered = catalog.prices.filter(
    ({ id, product_id, active }) => prices.includes(id) || (active && products.includes(product_id)),
  );
  return (
    <>
      {catalog.products.length > SHOWN && (
        <TextInput label={t.findProduct} value={sought} onChange={({ currentTarget }) => seek(currentTarget.value)} />
      )}
      <Checkbox.Group
        label={t.products}
        description={t.noneIsAll}
        value={[...products]}
        onChange={(chosen) => {
          const kept = prices.filter((price) => chosen.includes(catalog.prices.find(({ id }) => id === price)?.product_id ?? ''));
          onChange({ products: chosen, prices: kept });
        }}
      >
        {shown.map(({ id, name }) => (
          <Checkbox key={id} value={id} label={name} mt="xs" />
        ))}
      </Checkbox.Group>
      {offered.length > 1 && (
        <Checkbox.Group
          label={t.prices}
          description={t.noneIsAllPrices}
          value={[...prices]}
          onChange={(chosen) => onChange({ products: [...products], prices: chosen })}
        >
          {offered.map((price) => (
            <Checkbox key={price.id} value={price.id} label={priceIn(price, catalog)} mt="xs" />
          ))}
        </Checkbox.Group>
      )}
    </>
  );
}

const INTERVALS = { day: t.daily, week: t.weekly, month: t.monthly, year: t.yearly, one_time: t.once } as const;

function priceIn({ name, product_id, unit_cents, currency, interval }: Catalog['prices'][number], { products }: Catalog): string {
  const product = products.find(({ id }) => id === product_id)?.name ?? product_id;
  const amount = unit_cents === null ? null : formatMoney(unit_cents, currency);
  return [name ?? product, amount, INTERVALS[interval]].filter((part) => part !== null).join(', ');
}
