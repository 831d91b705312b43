import type { EventSubscription } from '@affiliate/core';
import { Checkbox, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { t } from '../texts/webhooks.ts';
import { SUBSCRIPTION_CHOICES } from './event-types.ts';

export interface EndpointValues {
  name: string;
  url: string;
  event_types: EventSubscription[];
}

/** Fields of the forms that create and edit an endpoint. */
export function EndpointFields({ form }: { form: UseFormReturnType<EndpointValues> }) {
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
