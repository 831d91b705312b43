import { Group, NativeSelect, TextInput } from '@mantine/core';
import { PRESETS, useRange } from './range.ts';

const CUSTOM = 'custom';

/** The days that the page tells of. */
export function RangePicker() {
  const [{ from, to, preset }, choose, chooseDays] = useRange();
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label="Range"
        value={preset ?? CUSTOM}
        data={[
          ...PRESETS.map(({ days, label }) => ({ value: String(days), label })),
          { value: CUSTOM, label: preset === null ? 'These days' : 'Choose days…' },
        ]}
        onChange={({ currentTarget: { value } }) => (value === CUSTOM ? chooseDays(from, to) : choose(Number(value)))}
      />
      {preset === null && (
        <>
          <DayInput label="From" value={from} onChange={(day) => chooseDays(day, to)} />
          <DayInput label="To" value={to} onChange={(day) => chooseDays(from, day)} />
        </>
      )}
    </Group>
  );
}

function DayInput({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value}
      // A day that is being typed is empty until it is whole.
      onChange={({ currentTarget }) => currentTarget.value !== '' && onChange(currentTarget.value)}
    />
  );
}
