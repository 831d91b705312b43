import { Checkbox, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { EventType } from '@affiliate/core';
import { EVENT_TYPE_CHOICES } from './event-types.ts';

export interface EndpointValues {
  name: string;
  url: string;
  event_types: EventType[];
}

/** What can be said of an endpoint, new or not. */
export function EndpointFields({ form }: { form: UseFormReturnType<EndpointValues> }) {
  return (
    <>
      <TextInput label="Name" required maxLength={200} data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="URL"
        description="http or https, at a public address."
        required
        inputMode="url"
        placeholder="https://shop.example.com/hooks/affiliate"
        {...form.getInputProps('url')}
      />
      <Checkbox.Group label="Events" description="At least one." {...form.getInputProps('event_types')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" spacing="sm">
          {EVENT_TYPE_CHOICES.map((choice) => (
            <Checkbox key={choice.value} {...choice} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
    </>
  );
}
