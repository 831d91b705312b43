import { Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { MomentInput, instantOf } from '../components/moment-input.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { PermissionPicker } from './permission-picker.tsx';
import { type Granted, permissionMap } from './permissions.ts';

interface Values {
  name: string;
  scope: 'all' | 'chosen';
  granted: Granted;
  expires_at: string;
}

const INITIAL: Values = { name: '', scope: 'chosen', granted: {}, expires_at: '' };

/** Creates a key and shows it once. */
export function CreateApiKey({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: INITIAL });
  // The secret is dropped from the cache as soon as the dialog closes.
  const create = useMutation(trpc.apiKeys.create.mutationOptions({ gcTime: 0, onError: showFieldErrors(form) }));

  if (create.data) {
    return (
      <SecretDialog
        title={`API key “${create.data.name}”`}
        label="API key"
        secret={create.data.api_key}
        hint="Store it with your program’s secrets. If you lose it, create a new key."
        onClose={onClose}
      />
    );
  }
  const { scope, granted } = form.values;
  return (
    <FormDialog
      title="Create API key"
      submit="Create"
      size="xl"
      progress={create}
      onClose={onClose}
      onSubmit={form.onSubmit(({ name, expires_at }) =>
        create.mutate({
          name,
          permissions: scope === 'all' ? { all: true } : permissionMap(granted),
          ...(expires_at === '' ? {} : { expires_at: instantOf(expires_at) }),
        }),
      )}
    >
      <TextInput
        label="Name"
        description="The program that uses the key, e.g. Nightly export."
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Radio.Group label="Permissions" {...form.getInputProps('scope')}>
        <Stack gap="xs" mt="xs">
          <Radio value="chosen" label="Selected permissions" />
          <Radio value="all" label="All permissions, including future ones" />
        </Stack>
      </Radio.Group>
      {scope === 'chosen' && <PermissionPicker granted={granted} onChange={(chosen) => form.setFieldValue('granted', chosen)} />}
      <MomentInput label="Expires" description="Leave empty for no expiration." {...form.getInputProps('expires_at')} />
    </FormDialog>
  );
}
