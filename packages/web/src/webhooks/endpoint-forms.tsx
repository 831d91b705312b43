import { EVENT_SUBSCRIPTIONS, type EventSubscription } from '@affiliate/core/browser';
import { Checkbox, NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { useMember } from '../session/session.tsx';
import { EVENT_MEANINGS } from '../texts/event-meanings.ts';
import { t } from '../texts/webhooks.ts';
import { type EndpointMode, MODE_CHOICES, livemodeOf, modeOf } from './endpoint-mode.tsx';
import type { Endpoint } from './endpoint-status.tsx';
import { SigningSecret } from './rotate-secret.tsx';

interface EndpointValues {
  name: string;
  url: string;
  event_types: EventSubscription[];
  mode: EndpointMode;
  /** Lines like `Authorization: Bearer …`. */
  secret_headers: string;
  removesHeaders: boolean;
}

/** Fields of the forms that create and edit an endpoint. */
function EndpointFields({ form, headerNames }: { form: UseFormReturnType<EndpointValues>; headerNames: readonly string[] }) {
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
          {EVENT_SUBSCRIPTIONS.map((value) => (
            <Checkbox key={value} value={value} label={value} description={EVENT_MEANINGS[value]} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <Textarea
        label={t.headers}
        description={headerNames.length === 0 ? t.headersHint : t.headersKept({ names: headerNames.join(', ') })}
        autosize
        minRows={1}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('secret_headers')}
      />
      {headerNames.length > 0 && (
        <Checkbox label={t.removeHeaders} {...form.getInputProps('removesHeaders', { type: 'checkbox' })} />
      )}
    </>
  );
}

const NO_HEADERS = { secret_headers: '', removesHeaders: false };
const INITIAL: EndpointValues = { name: '', url: '', event_types: [], mode: 'both', ...NO_HEADERS };

/** Returns the values of a form as the input of the service. Without lines, the headers stay. */
function inputOf({ mode: _, secret_headers: lines, removesHeaders, ...values }: EndpointValues) {
  const given = lines.split('\n').filter((line) => line.trim() !== '');
  const secret_headers = Object.fromEntries(
    given.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.trim(), value.join(':').trim()];
    }),
  );
  return { ...values, ...((given.length > 0 || removesHeaders) && { secret_headers }) };
}

/** Shows errors of single headers at the field of all. */
function showErrors(form: UseFormReturnType<EndpointValues>) {
  return showFieldErrors({
    getValues: form.getValues,
    setErrors: (errors) =>
      form.setErrors(
        Object.fromEntries(
          Object.entries(errors).map(([path, message]) => [
            path.startsWith('secret_headers.') ? 'secret_headers' : path,
            message,
          ]),
        ),
      ),
  });
}

/** Creates an endpoint and shows its signing secret once. */
export function CreateEndpoint({ onClose }: { onClose: () => void }) {
  const { account } = useMember();
  const form = useForm({ initialValues: INITIAL });
  // The secret is dropped from the cache as soon as the dialog closes.
  const create = useMutation(trpc.webhookEndpoints.create.mutationOptions({ gcTime: 0, onError: showErrors(form) }));

  if (create.data) return <SigningSecret endpoint={create.data} onClose={onClose} />;
  return (
    <FormDialog
      title={t.addEndpoint}
      submit={t.add}
      progress={create}
      onClose={onClose}
      onSubmit={form.onSubmit((values) =>
        create.mutate({ ...inputOf(values), ...(account.livemode && { livemode: livemodeOf(values.mode) }) }),
      )}
    >
      <EndpointFields form={form} headerNames={[]} />
    </FormDialog>
  );
}

export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { id, name, url, event_types } = endpoint;
  const { account } = useMember();
  const form = useForm<EndpointValues>({ initialValues: { name, url, event_types, mode: modeOf(endpoint), ...NO_HEADERS } });
  const update = useMutation(trpc.webhookEndpoints.update.mutationOptions({ onError: showErrors(form), onSuccess: onClose }));
  return (
    <FormDialog
      title={t.editOf({ name })}
      submit={t.save}
      progress={update}
      onClose={onClose}
      onSubmit={form.onSubmit((values) =>
        update.mutate({ id, ...inputOf(values), ...(account.livemode && { livemode: livemodeOf(values.mode) }) }),
      )}
    >
      <EndpointFields form={form} headerNames={endpoint.secret_header_names} />
    </FormDialog>
  );
}
