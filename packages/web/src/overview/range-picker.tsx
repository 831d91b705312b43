import { Group, NativeSelect, TextInput } from '@mantine/core';
import { t } from '../texts/overview.ts';
import { PRESETS, useRange } from './range.ts';

const CUSTOM = 'custom';

/** Selects the date range of the page. `now` is that of `useRange`. */
export function RangePicker({ now }: { now?: number }) {
  const [{ from, to, preset }, choose, chooseDays] = useRange(now);
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        aria-label={t.range}
        value={preset ?? CUSTOM}
        data={[
          ...PRESETS.map((days) => ({ value: String(days), label: t.lastDays(days) })),
          { value: CUSTOM, label: preset === null ? t.customRange : t.customRangeShort },
        ]}
        onChange={({ currentTarget: { value } }) => (value === CUSTOM ? chooseDays(from, to) : choose(Number(value)))}
      />
      {preset === null && (
        <>
          <DayInput label={t.from} value={from} onChange={(day) => chooseDays(day, to)} />
          <DayInput label={t.to} value={to} onChange={(day) => chooseDays(from, day)} />
        </>
      )}
    </Group>
  );
}

function DayInput({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  return (
    <TextInput
      type="date"
      aria-label={label}
      value={value}
      // The browser reports an empty value until the typed date is complete.
      onChange={({ currentTarget }) => currentTarget.value !== '' && onChange(currentTarget.value)}
    />
  );
}
