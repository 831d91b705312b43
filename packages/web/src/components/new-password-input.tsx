import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A field for a password that is chosen now, with the length that the service takes. `description` says what the password is for. */
export function NewPasswordInput(props: PasswordInputProps & { description: string }) {
  return <PasswordInput autoComplete="new-password" required withAsterisk={false} minLength={8} maxLength={128} {...props} />;
}
