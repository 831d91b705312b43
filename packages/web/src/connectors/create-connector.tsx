import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { MomentInput, instantOf } from '../components/moment-input.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';

const INITIAL = { name: '', allow_promo_code_management: false, expires_at: '' };

/** Creates a connector and shows its token once. */
export function CreateConnector({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: INITIAL });
  // The secret is dropped from the cache as soon as the dialog closes.
  const create = useMutation(trpc.connectors.create.mutationOptions({ gcTime: 0, onError: showFieldErrors(form) }));

  if (create.data) {
    return (
      <SecretDialog
        title={`Connector “${create.data.name}”`}
        label="Connector token"
        secret={create.data.token}
        hint={`Enter it in the assistant together with the URL ${window.location.origin}/mcp.`}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="Create connector"
      submit="Create"
      progress={create}
      onClose={onClose}
      onSubmit={form.onSubmit(({ expires_at, ...values }) =>
        create.mutate({ ...values, ...(expires_at === '' ? {} : { expires_at: instantOf(expires_at) }) }),
      )}
    >
      <TextInput
        label="Name"
        description="The assistant and its user, e.g. Claude, finance team. It gets read access."
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox
        label="Allow promo code management"
        description="The assistant can also list, import, create, and stop promo codes."
        {...form.getInputProps('allow_promo_code_management', { type: 'checkbox' })}
      />
      <MomentInput label="Expires" description="Leave empty for no expiration." {...form.getInputProps('expires_at')} />
    </FormDialog>
  );
}
