import { NativeSelect, PasswordInput, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { DialogButton } from '../components/dialog-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { t } from '../texts/payment-provider.ts';

type Connection = Outputs['pspConnection']['get'];

/** Changes what the merchant decides about the connection. */
export function ConnectionSettings({ connection }: { connection: Connection }) {
  return <DialogButton action={t.settings}>{(close) => <SettingsDialog connection={connection} onClose={close} />}</DialogButton>;
}

function SettingsDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const form = useForm({
    initialValues: {
      customer_id_key: connection.customer_id_key ?? '',
      outside_payments: connection.outside_payments,
      write_back: connection.write_back,
      connected_account_id: connection.connected_account_id ?? '',
    },
  });
  const update = useMutation(
    trpc.pspConnection.update.mutationOptions({ gcTime: 0, onError: showFieldErrors(form), onSuccess: onClose }),
  );
  const save = ({ customer_id_key, outside_payments, connected_account_id, write_back }: typeof form.values) =>
    update.mutate({
      customer_id_key: customer_id_key.trim() || null,
      outside_payments,
      write_back,
      connected_account_id: connected_account_id.trim() || null,
    });
  return (
    <FormDialog title={t.settings} submit={t.save} size="md" progress={update} onClose={onClose} onSubmit={form.onSubmit(save)}>
      <TextInput
        label={t.customerIdKey}
        description={t.customerIdKeyHint}
        placeholder="customer_id"
        {...form.getInputProps('customer_id_key')}
      />
      <NativeSelect
        label={t.outsidePayments}
        data={[
          { value: 'count', label: t.outsideCount },
          { value: 'exclude', label: t.outsideExclude },
        ]}
        {...form.getInputProps('outside_payments')}
      />
      <TextInput
        label={t.connectedAccount}
        description={t.connectedAccountHint}
        placeholder="acct_…"
        {...form.getInputProps('connected_account_id')}
      />
      <Switch label={t.writeBack} description={t.writeBackHint} {...form.getInputProps('write_back', { type: 'checkbox' })} />
      <Text size="sm" c="dimmed">
        {t.settingsApplyFromNow}
      </Text>
    </FormDialog>
  );
}

/** Stores a new signing secret, after the merchant has rolled the secret in Stripe. */
export function ReplaceWebhookSecret() {
  return <DialogButton action={t.replaceSigningSecret}>{(close) => <ReplaceDialog onClose={close} />}</DialogButton>;
}

function ReplaceDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: { webhook_secret: '' } });
  const replace = useMutation(
    trpc.pspConnection.rotateWebhookSecret.mutationOptions({ gcTime: 0, onError: showFieldErrors(form), onSuccess: onClose }),
  );
  return (
    <FormDialog
      title={t.replaceSigningSecret}
      submit={t.replace}
      size="md"
      progress={replace}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => replace.mutate(values))}
    >
      <Text>{t.enterNewSecret}</Text>
      <PasswordInput
        label={t.webhookSigningSecret}
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('webhook_secret')}
      />
    </FormDialog>
  );
}
