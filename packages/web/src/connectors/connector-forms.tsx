import { CONSENT_PERMISSIONS } from '@affiliate/core/browser';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { DialogButton } from '../components/dialog-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { instantOf } from '../components/local-time.ts';
import { MomentInput } from '../components/moment-input.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/connectors.ts';
import { AccessFields } from './access-fields.tsx';
import { accessOf, accessValues, type AccessValues, mayPay, validateAccess } from './access.ts';

/** Permissions of a new connector, unless the person chooses others. */
const READING = CONSENT_PERMISSIONS.filter((name) => name.startsWith('mcp.') && name.endsWith('.read'));

/** Creates a connector and shows its token once. */
export function CreateConnector({ onClose }: { onClose: () => void }) {
  const { account } = useMember();
  const access = accessValues({ permissions: READING, daily_pay_limits: null }, account.role, account.currency);
  const initialValues = { ...access, name: '', expires_at: '' };
  const form = useForm({ initialValues, validate: validateAccess });
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
      onSubmit={form.onSubmit(({ name, expires_at, ...values }) =>
        create.mutate({ name, ...accessOf(values), ...(expires_at === '' ? {} : { expires_at: instantOf(expires_at) }) }),
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
      <AccessFields form={form} role={account.role} currency={account.currency} />
      <MomentInput label={t.expires} description={t.expirationHint} {...form.getInputProps('expires_at')} />
    </FormDialog>
  );
}

type Connector = Outputs['connectors']['list']['data'][number];

/** A button that opens the dialog in which a person changes what an assistant may do. */
export function EditButton({ connector }: { connector: Connector }) {
  return (
    <DialogButton size="compact-sm" label={`${t.change}: ${connector.name}`} action={t.change}>
      {(close) => <EditConnector connector={connector} onClose={close} />}
    </DialogButton>
  );
}

type Values = AccessValues & { name: string };

function EditConnector({ connector, onClose }: { connector: Connector; onClose: () => void }) {
  const { account } = useMember();
  const { id, name, permissions, daily_pay_limits } = connector;
  const granted = Object.entries(permissions).flatMap(([each, isGranted]) => (isGranted ? [each] : []));
  const access = accessValues({ permissions: granted, daily_pay_limits }, account.role, account.currency);
  const initialValues: Values = { ...access, name, unlimited: daily_pay_limits === null && mayPay(access) };
  const form = useForm({ initialValues, validate: validateAccess });
  const update = useMutation(trpc.connectors.update.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  return (
    <FormDialog
      title={t.editOf({ name })}
      submit={t.save}
      progress={update}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => update.mutate({ id, name: values.name, ...accessOf(values) }))}
    >
      <TextInput label={t.name} description={t.nameHint} required maxLength={200} {...form.getInputProps('name')} />
      <AccessFields form={form} role={account.role} currency={account.currency} />
    </FormDialog>
  );
}
