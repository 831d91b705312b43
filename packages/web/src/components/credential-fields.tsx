import { PasswordInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

interface CredentialFieldsProps {
  /** Kind of the service, which describes its fields. */
  kind: string;
  fields: readonly { name: string; placeholder: string; secret: boolean; required?: boolean }[];
  labelOf: (name: string) => string;
  form: UseFormReturnType<Record<string, string>>;
}

/** The fields of the credentials of a service. */
export function CredentialFields({ kind, fields, labelOf, form }: CredentialFieldsProps) {
  return fields.map(({ name, placeholder, secret, required = true }) => {
    const Input = secret ? PasswordInput : TextInput;
    return (
      <Input
        key={`${kind} ${name}`}
        label={labelOf(name)}
        placeholder={placeholder}
        required={required}
        autoComplete="off"
        {...form.getInputProps(name)}
      />
    );
  });
}

/** Returns the values that were entered, without those that are empty. */
export function credentialsIn(fields: CredentialFieldsProps['fields'], values: Record<string, string>): Record<string, string> {
  const entered = fields.map(({ name }) => [name, values[name]?.trim() ?? ''] as const);
  return Object.fromEntries(entered.filter(([, value]) => value !== ''));
}
