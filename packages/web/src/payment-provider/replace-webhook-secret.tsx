import { PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { DialogButton } from '../components/dialog-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { t } from '../texts/payment-provider.ts';

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
