import type { EventSubscription } from '@affiliate/core';
import { Checkbox, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/webhooks.ts';
import { type EndpointMode, MODE_CHOICES, livemodeOf, modeOf } from './endpoint-mode.ts';
import type { Endpoint } from './endpoint-status.tsx';
import { SUBSCRIPTION_CHOICES } from './event-types.ts';
import { SigningSecret } from './rotate-secret.tsx';

interface EndpointValues {
  name: string;
  url: string;
  event_types: EventSubscription[];
  mode: EndpointMode;
}

/** Fields of the forms that create and edit an endpoint. */
function EndpointFields({ form }: { form: UseFormReturnType<EndpointValues> }) {
  const { account } = useMember();
  return (
    <>
      <TextInput label={t.name} required maxLength={200} data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="URL"
        description={t.urlHint}
        required
        inputMode="url"
        placeholder="https://shop.example.com/hooks/affiliate"
        {...form.getInputProps('url')}
      />
      {account.livemode && (
        <NativeSelect label={t.mode} description={t.modeHint} data={MODE_CHOICES} {...form.getInputProps('mode')} />
      )}
      <Checkbox.Group label={t.events} description={t.selectAtLeastOne} {...form.getInputProps('event_types')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" spacing="sm">
          {SUBSCRIPTION_CHOICES.map((choice) => (
            <Checkbox key={choice.value} {...choice} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
    </>
  );
}

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
