import { type Action, isNamed, type Resource } from '@affiliate/core/browser';
import { NativeSelect, SimpleGrid } from '@mantine/core';
import { t } from '../texts/api-keys.ts';
import { type Granted, RESOURCE_LABELS } from './permissions.ts';

/** Returns the choices for a resource. Some resources cannot be read. */
function choicesOf(resource: Resource) {
  const none = { value: '', label: t.none };
  if (!isNamed('v1', resource, 'read')) return [none, { value: 'write', label: t.allowed }];
  return [none, { value: 'read', label: t.read }, { value: 'write', label: t.readAndWrite }];
}

/** Selects the permissions of a key per resource. */
export function PermissionPicker({ granted, onChange }: { granted: Granted; onChange: (granted: Granted) => void }) {
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
