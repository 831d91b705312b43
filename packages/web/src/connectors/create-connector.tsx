import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { MomentInput, instantOf } from '../components/moment-input.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';

const INITIAL = { name: '', allow_promo_code_management: false, expires_at: '' };

/** Asks for whom the connector is, then shows its token once. */
export function CreateConnector({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: INITIAL });
  // Not kept for a moment longer than it is shown.
  const create = useMutation(trpc.connectors.create.mutationOptions({ gcTime: 0, onError: showFieldErrors(form) }));

  if (create.data) {
    return (
      <SecretDialog
        title={`Connector “${create.data.name}”`}
        label="Connector token"
        secret={create.data.token}
        hint={`Enter it in the assistant together with the address ${window.location.origin}/mcp.`}
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
        description="Which assistant, and whose. It may read the program."
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox
        label="Allow promo-code management"
        description="It may also list, import, create and stop promo codes of affiliates."
        {...form.getInputProps('allow_promo_code_management', { type: 'checkbox' })}
      />
      <MomentInput label="Expires" description="Empty: never." {...form.getInputProps('expires_at')} />
    </FormDialog>
  );
}
