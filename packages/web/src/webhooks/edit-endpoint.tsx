import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/webhooks.ts';
import { EndpointFields, type EndpointValues } from './endpoint-fields.tsx';
import { livemodeOf, modeOf } from './endpoint-mode.ts';
import type { Endpoint } from './endpoint-status.tsx';

export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { id, name, url, event_types } = endpoint;
  const { account } = useMember();
  const form = useForm<EndpointValues>({ initialValues: { name, url, event_types, mode: modeOf(endpoint) } });
  const update = useMutation(
    trpc.webhookEndpoints.update.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }),
  );
  return (
    <FormDialog
      title={t.editOf({ name })}
      submit={t.save}
      progress={update}
      onClose={onClose}
      onSubmit={form.onSubmit(({ mode, ...values }) =>
        update.mutate({ id, ...values, ...(account.livemode && { livemode: livemodeOf(mode) }) }),
      )}
    >
      <EndpointFields form={form} />
    </FormDialog>
  );
}
