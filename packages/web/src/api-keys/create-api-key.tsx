import { type Action, isNamed, type Resource } from '@affiliate/core/browser';
import { NativeSelect, Radio, Stack, TextInput, SimpleGrid } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { instantOf } from '../components/local-time.ts';
import { MomentInput } from '../components/moment-input.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/api-keys.ts';
import { type Granted, permissionMap, RESOURCE_LABELS } from './permissions.ts';

interface Values {
  name: string;
  scope: 'all' | 'chosen';
  granted: Granted;
  mode: 'none' | 'live' | 'test';
  expires_at: string;
}

const INITIAL: Values = { name: '', scope: 'chosen', granted: {}, mode: 'none', expires_at: '' };

const MODES = [
  { value: 'none', label: t.withoutMode },
  { value: 'live', label: t.liveMode },
  { value: 'test', label: t.testMode },
];

/** Creates a key and shows it once. */
export function CreateApiKey({ onClose }: { onClose: () => void }) {
  const { account } = useMember();
  const form = useForm({ initialValues: INITIAL });
  // The secret is dropped from the cache as soon as the dialog closes.
  const create = useMutation(trpc.apiKeys.create.mutationOptions({ gcTime: 0, onError: showFieldErrors(form) }));

  if (create.data) {
    return (
      <SecretDialog
        title={t.apiKeyOf({ name: create.data.name })}
        label={t.apiKey}
        secret={create.data.api_key}
        hint={t.storeHint}
        onClose={onClose}
      />
    );
  }
  const { scope, granted } = form.values;
  return (
    <FormDialog
      title={t.createApiKey}
      submit={t.create}
      size="xl"
      progress={create}
      onClose={onClose}
      onSubmit={form.onSubmit(({ name, mode, expires_at }) =>
        create.mutate({
          name,
          permissions: scope === 'all' ? { all: true } : permissionMap(granted),
          ...(mode === 'none' || !account.livemode ? {} : { livemode: mode === 'live' }),
          ...(expires_at === '' ? {} : { expires_at: instantOf(expires_at) }),
        }),
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
      {account.livemode && <NativeSelect label={t.mode} description={t.modeHint} data={MODES} {...form.getInputProps('mode')} />}
      <Radio.Group label={t.permissions} {...form.getInputProps('scope')}>
        <Stack gap="xs" mt="xs">
          <Radio value="chosen" label={t.selectedPermissions} />
          <Radio value="all" label={t.allPermissions} />
        </Stack>
      </Radio.Group>
      {scope === 'chosen' && <PermissionPicker granted={granted} onChange={(chosen) => form.setFieldValue('granted', chosen)} />}
      <MomentInput label={t.expires} description={t.expirationHint} {...form.getInputProps('expires_at')} />
    </FormDialog>
  );
}

/** Returns the choices for a resource. Some resources cannot be read. */
function choicesOf(resource: Resource) {
  const none = { value: '', label: t.none };
  if (!isNamed('v1', resource, 'read')) return [none, { value: 'write', label: t.allowed }];
  return [none, { value: 'read', label: t.read }, { value: 'write', label: t.readAndWrite }];
}

/** Selects the permissions of a key per resource. */
function PermissionPicker({ granted, onChange }: { granted: Granted; onChange: (granted: Granted) => void }) {
  const choose = (resource: Resource, choice: string) => {
    const { [resource]: _, ...others } = granted;
    onChange(choice === '' ? others : { ...others, [resource]: choice as Action });
  };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="sm">
      {(Object.keys(RESOURCE_LABELS) as Resource[]).map((resource) => (
        <NativeSelect
          key={resource}
          size="xs"
          label={RESOURCE_LABELS[resource]}
          data={choicesOf(resource)}
          value={granted[resource] ?? ''}
          onChange={(event) => choose(resource, event.currentTarget.value)}
        />
      ))}
    </SimpleGrid>
  );
}
