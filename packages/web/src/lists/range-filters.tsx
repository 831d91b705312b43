import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { currencyChoices } from '../components/currencies.ts';
import { t } from '../texts/lists.ts';
import { useParameters } from './address.ts';

const OF_DAYS = ['since', 'until'];
const OF_AMOUNTS = ['currency', 'min', 'max'];

interface RangeFiltersProps {
  hasAmounts?: boolean;
  /** A further filter that is rarely used, and its name in the address. */
  further?: { name: string; field: ReactNode };
}

/** Filters by day and, if `hasAmounts`, by amount and currency. They are hidden behind a button until one is set. */
export function RangeFilters({ hasAmounts = false, further }: RangeFiltersProps) {
  const [params, change] = useParameters();
  const names = [...OF_DAYS, ...(hasAmounts ? OF_AMOUNTS : []), ...(further ? [further.name] : [])];
  const isSet = names.some((name) => params.has(name));
  const [opened, fields] = useDisclosure(isSet);
  const id = useId();
  const { open } = fields;
  useEffect(() => {
    if (isSet) open();
  }, [isSet, open]);
  return (
    <>
      <Button variant="default" aria-expanded={opened} aria-controls={id} onClick={fields.toggle}>
        {t.moreFilters}
      </Button>
      <Group id={id} align="flex-end" hidden={!opened} style={opened ? undefined : { display: 'none' }}>
        {opened && (
          <>
            {OF_DAYS.map((name) => (
              <TextInput
                key={name}
                type="date"
                label={name === 'since' ? t.since : t.until}
                value={params.get(name) ?? ''}
                onChange={(event) => change({ [name]: event.currentTarget.value })}
              />
            ))}
            {hasAmounts && (
              <>
                <NativeSelect
                  label={t.currency}
                  maw={180}
                  value={params.get('currency') ?? ''}
                  data={[{ value: '', label: t.all }, ...currencyChoices()]}
                  onChange={(event) => change({ currency: event.currentTarget.value })}
                />
                <AmountInput key={`min ${params.get('min')}`} name="min" label={t.amountFrom} />
                <AmountInput key={`max ${params.get('max')}`} name="max" label={t.amountTo} />
              </>
            )}
            {further?.field}
            {isSet && (
              <Button variant="default" onClick={() => change(Object.fromEntries(names.map((name) => [name, ''])))}>
                {t.clearFilters}
              </Button>
            )}
          </>
        )}
      </Group>
    </>
  );
}

/** Applies the amount when the field loses the focus or the user presses Enter. A partly typed amount would be a different amount. */
function AmountInput({ name, label }: { name: string; label: string }) {
  const [params, change] = useParameters();
  const [text, setText] = useState(params.get(name) ?? '');
  const commit = () => {
    if (text.trim() !== (params.get(name) ?? '')) change({ [name]: text.trim() });
  };
  return (
    <form
      data-saves-nothing
      onSubmit={(event) => {
        event.preventDefault();
        commit();
      }}
    >
      <TextInput
        label={label}
        inputMode="decimal"
        maw={130}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={commit}
      />
    </form>
  );
}
