import { CONSENT_PERMISSIONS, PROMO_CODE_MANAGEMENT, type Role, mayGrant } from '@affiliate/core/browser';
import { Button, Checkbox, Fieldset, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { currencyChoices } from '../components/currencies.ts';
import { RecordTable } from '../components/record-table.tsx';
import { t } from '../texts/access.ts';
import { type AccessValues, RESOURCE_LABELS, mayPay } from './access.ts';

interface Row {
  resource: string;
  read: string | null;
  write: string | null;
}

interface AccessFieldsProps {
  form: UseFormReturnType<AccessValues>;
  /** Role of the person who grants the access. Nobody can grant more than their role allows. */
  role: Role;
  currency: string;
}

/** The fields in which a person chooses what an assistant may read, change and pay. */
export function AccessFields({ form, role, currency }: AccessFieldsProps) {
  const { permissions, unlimited, daily_pay_limits } = form.getValues();
  const set = (changed: string[]) => form.setFieldValue('permissions', changed);
  const box = (label: string, { resource, read, write }: Row, name: string | null) =>
    name !== null && (
      <Checkbox
        aria-label={`${label}: ${RESOURCE_LABELS[resource]}`}
        checked={permissions.includes(name)}
        onChange={({ currentTarget: { checked } }) => {
          if (!checked) return set(permissions.filter((each) => each !== name && (name !== read || each !== write)));
          // A tool that changes records shows them, and the assistant must find them first.
          set([...new Set([...permissions, name, ...(read === null ? [] : [read])])]);
        }}
      />
    );
  return (
    <>
      <RecordTable
        caption={t.access}
        columns={[
          { header: t.records, cell: ({ resource }) => <Text size="sm">{RESOURCE_LABELS[resource]}</Text> },
          { header: t.read, cell: (row) => box(t.read, row, row.read) },
          { header: t.change, cell: (row) => box(t.change, row, row.write) },
        ]}
        rows={rowsFor(role)}
        keyOf={({ resource }) => resource}
      />
      <Checkbox
        label={t.allowPromoCodeManagement}
        description={t.promoCodesHint}
        {...form.getInputProps('allow_promo_code_management', { type: 'checkbox' })}
      />
      {mayPay({ permissions }) && (
        <Fieldset legend={t.limits}>
          <Stack gap="sm">
            <Text size="sm">{t.limitsHint}</Text>
            {!unlimited &&
              daily_pay_limits.map((limit, place) => (
                <Group key={limit.currency} align="start" grow>
                  <TextInput
                    label={t.amountPerDay}
                    inputMode="decimal"
                    required
                    {...form.getInputProps(`daily_pay_limits.${place}.amount`)}
                  />
                  <NativeSelect
                    label={t.currency}
                    data={currencyChoices()}
                    {...form.getInputProps(`daily_pay_limits.${place}.currency`)}
                  />
                </Group>
              ))}
            {!unlimited && (
              <Group gap="xs">
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() =>
                    form.insertListItem('daily_pay_limits', { currency: unusedCurrency(daily_pay_limits, currency), amount: '' })
                  }
                >
                  {t.addCurrency}
                </Button>
                {daily_pay_limits.length > 1 && (
                  <Button
                    variant="default"
                    size="compact-sm"
                    onClick={() => form.removeListItem('daily_pay_limits', daily_pay_limits.length - 1)}
                  >
                    {t.removeCurrency}
                  </Button>
                )}
              </Group>
            )}
            <Checkbox label={t.noLimit} {...form.getInputProps('unlimited', { type: 'checkbox' })} />
          </Stack>
        </Fieldset>
      )}
    </>
  );
}

/** Returns the resources of which the role may grant at least one permission. */
function rowsFor(role: Role): Row[] {
  const offered = CONSENT_PERMISSIONS.filter((name) => !PROMO_CODE_MANAGEMENT.includes(name) && mayGrant(role, name));
  const byResource = Map.groupBy(offered, (name) => name.split('.')[1]!);
  return [...byResource].map(([resource, names]) => ({
    resource,
    read: names.find((name) => name.endsWith('.read')) ?? null,
    write: names.find((name) => name.endsWith('.write')) ?? null,
  }));
}

function unusedCurrency(limits: AccessValues['daily_pay_limits'], preferred: string): string {
  const used = limits.map((limit) => limit.currency);
  return [preferred, ...currencyChoices().map(({ value }) => value)].find((code) => !used.includes(code)) ?? preferred;
}
