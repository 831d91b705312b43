import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { MomentInput, instantOf } from '../components/moment-input.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { t } from '../texts/connectors.ts';

const INITIAL = { name: '', allow_promo_code_management: false, expires_at: '' };

/** Creates a connector and shows its token once. */
export function CreateConnector({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: INITIAL });
  // The secret is dropped from the cache as soon as the dialog closes.
  const create = useMutation(trpc.connectors.create.mutationOptions({ gcTime: 0, onError: showFieldErrors(form) }));

  if (create.data) {
    return (
      <SecretDialog
        title={t.connectorOf({ name: create.data.name })}
        label={t.connectorToken}
        secret={create.data.token}
        hint={t.codeHint({ origin: window.location.origin })}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={t.createConnector}
      submit={t.create}
      progress={create}
      onClose={onClose}
      onSubmit={form.onSubmit(({ expires_at, ...values }) =>
        create.mutate({ ...values, ...(expires_at === '' ? {} : { expires_at: instantOf(expires_at) }) }),
      )}
    >
      <TextInput
        label={t.name}
        description={t.nameHint}
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox
        label={t.allowPromoCodeManagement}
        description={t.promoCodesHint}
        {...form.getInputProps('allow_promo_code_management', { type: 'checkbox' })}
      />
      <MomentInput label={t.expires} description={t.expirationHint} {...form.getInputProps('expires_at')} />
    </FormDialog>
  );
}
