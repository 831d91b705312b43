import { TextInput, type TextInputProps } from '@mantine/core';

/** Input for a time in the browser's time zone. Its value has no offset, e.g. `2026-11-20T12:00`. */
export function MomentInput(props: TextInputProps) {
  return <TextInput type="datetime-local" {...props} />;
}

/** Converts a value of `MomentInput` to an instant. Returns undefined for an empty value. */
export function instantOf(value: string): string | undefined {
  return value === '' ? undefined : new Date(value).toISOString();
}

/** Returns the value of `MomentInput` for an instant, to the minute. */
export function localTimeOf(instant: string): string {
  const time = new Date(instant);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
