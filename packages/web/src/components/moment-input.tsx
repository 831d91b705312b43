import { TextInput, type TextInputProps } from '@mantine/core';

/** Input for a time in the account's time zone. Its value has no offset, e.g. `2026-11-20T12:00`. */
export function MomentInput(props: TextInputProps) {
  return <TextInput type="datetime-local" {...props} />;
}
