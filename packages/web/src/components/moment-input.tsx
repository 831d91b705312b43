import { TextInput, type TextInputProps } from '@mantine/core';

/** A point in time, in the reader's time zone. Its value is what browsers write, e.g. `2026-11-20T12:00`. */
export function MomentInput(props: TextInputProps) {
  return <TextInput type="datetime-local" {...props} />;
}

/** The instant that such a value means; undefined for none. */
export function instantOf(value: string): string | undefined {
  return value === '' ? undefined : new Date(value).toISOString();
}
