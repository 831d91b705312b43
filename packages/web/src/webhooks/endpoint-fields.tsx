import type { EventSubscription } from '@affiliate/core';
import { Checkbox, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/webhooks.ts';
import { type EndpointMode, MODE_CHOICES } from './endpoint-mode.ts';
import { SUBSCRIPTION_CHOICES } from './event-types.ts';

export interface EndpointValues {
  name: string;
  url: string;
  event_types: EventSubscription[];
  mode: EndpointMode;
}

/** Fields of the forms that create and edit an endpoint. */
export function EndpointFields({ form }: { form: UseFormReturnType<EndpointValues> }) {
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
