import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { DialogButton } from '../components/dialog-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/connectors.ts';
import { AccessFields } from './access-fields.tsx';
import { type AccessValues, accessOf, accessValues, mayPay, validateAccess } from './access.ts';

type Connector = Outputs['connectors']['list']['data'][number];

/** A button that opens the dialog in which a person changes what an assistant may do. */
export function EditButton({ connector }: { connector: Connector }) {
  return (
    <DialogButton size="compact-sm" label={`${t.edit}: ${connector.name}`} action={t.edit}>
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
