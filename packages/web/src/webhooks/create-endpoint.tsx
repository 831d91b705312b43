import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/webhooks.ts';
import { EndpointFields, type EndpointValues } from './endpoint-fields.tsx';
import { livemodeOf } from './endpoint-mode.ts';
import { SigningSecret } from './signing-secret.tsx';

const INITIAL: EndpointValues = { name: '', url: '', event_types: [], mode: 'both' };

/** Creates an endpoint and shows its signing secret once. */
export function CreateEndpoint({ onClose }: { onClose: () => void }) {
  const { account } = useMember();
  const form = useForm({ initialValues: INITIAL });
  // The secret is dropped from the cache as soon as the dialog closes.
  const create = useMutation(trpc.webhookEndpoints.create.mutationOptions({ gcTime: 0, onError: showFieldErrors(form) }));

  if (create.data) return <SigningSecret endpoint={create.data} onClose={onClose} />;
  return (
    <FormDialog
      title={t.addEndpoint}
      submit={t.add}
      progress={create}
      onClose={onClose}
      onSubmit={form.onSubmit(({ mode, ...values }) =>
        create.mutate({ ...values, ...(account.livemode && { livemode: livemodeOf(mode) }) }),
      )}
    >
      <EndpointFields form={form} />
    </FormDialog>
  );
}
