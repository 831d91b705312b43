import type { Action, Resource } from '@affiliate/core/browser';
import { NativeSelect, SimpleGrid } from '@mantine/core';
import { t } from '../texts/api-keys.ts';
import { type Granted, RESOURCE_LABELS } from './permissions.ts';

const CHOICES = [
  { value: '', label: t.none },
  { value: 'read', label: t.read },
  { value: 'write', label: t.readAndWrite },
];

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
          data={CHOICES}
          value={granted[resource] ?? ''}
          onChange={(event) => choose(resource, event.currentTarget.value)}
        />
      ))}
    </SimpleGrid>
  );
}
