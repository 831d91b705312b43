import { TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { t } from '../texts/components.ts';

interface NamesForm {
  key(field: 'first_name' | 'last_name'): string;
  getInputProps(field: 'first_name' | 'last_name'): GetInputPropsReturnType;
}

/** Form fields for a person's first and last name. */
export function NameFields({ form }: { form: NamesForm }) {
  return (
    <>
      <TextInput
        label={t.firstName}
        autoComplete="given-name"
        maxLength={100}
        key={form.key('first_name')}
        {...form.getInputProps('first_name')}
      />
      <TextInput
        label={t.lastName}
        autoComplete="family-name"
        maxLength={100}
        key={form.key('last_name')}
        {...form.getInputProps('last_name')}
      />
    </>
  );
}
