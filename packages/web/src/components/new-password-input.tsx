import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A field for choosing a new password, with the service's limits on its length. `description` says what the password is for. */
export function NewPasswordInput(props: PasswordInputProps & { description: string }) {
  return <PasswordInput autoComplete="new-password" required withAsterisk={false} minLength={8} maxLength={128} {...props} />;
}
