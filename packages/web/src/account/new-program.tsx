import { Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { currencyChoices } from '../components/currencies.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { t } from '../texts/programs.ts';
import { OWN_TIME_ZONE } from './time-zones.ts';

/** Creates another program that the signed-in person owns, and shows it. */
export function NewProgram({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: { name: '', currency: 'USD' } });
  const show = useMutation(trpc.session.switchAccount.mutationOptions());
  const create = useMutation(
    trpc.account.create.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: async ({ account_id }) => {
        await show.mutateAsync({ account_id });
        // Assigning the location reloads the page, so that no data of the former program remains.
        window.location.assign('/');
      },
    }),
  );
  return (
    <FormDialog
      title={t.newProgram}
      submit={t.create}
      size="md"
      progress={create}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => create.mutate({ ...values, time_zone: OWN_TIME_ZONE }))}
    >
      <Text size="sm">{t.newProgramExplained}</Text>
      <TextInput label={t.name} required maxLength={200} data-autofocus {...form.getInputProps('name')} />
      <Select label={t.currency} data={currencyChoices()} allowDeselect={false} searchable {...form.getInputProps('currency')} />
    </FormDialog>
  );
}
