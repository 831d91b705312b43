import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { client, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { saveFile } from '../components/save-file.ts';
import { Section } from '../components/section.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/privacy.ts';

interface Person {
  kind: 'customer' | 'affiliate';
  id: string;
  /** The person, for screen readers. */
  name: string;
  erasedAt: string | null;
}

/** Exports and erases what is stored about a person. */
export function PersonalData({ kind, id, name, erasedAt }: Person) {
  const may = useMay();
  const read = kind === 'customer' ? client.customers.personalData : client.affiliates.personalData;
  const save = useMutation({
    mutationFn: async () =>
      saveFile(`${id}.json`, [JSON.stringify(await read.query({ id }), null, 2)], 'application/json;charset=utf-8'),
  });
  const customer = useMutation(trpc.customers.erase.mutationOptions());
  const affiliate = useMutation(trpc.affiliates.erase.mutationOptions());
  const erase = kind === 'customer' ? customer : affiliate;
  return (
    <Section title={t.title}>
      <Stack gap="sm">
        <Text size="sm">
          {erasedAt === null ? t.meaning : <Filled text={t.erasedAt} values={{ at: <Moment at={erasedAt} /> }} />}
        </Text>
        {erasedAt === null && (
          <Group>
            <Button variant="default" size="compact-sm" loading={save.isPending} onClick={() => save.mutate()}>
              {t.export}
            </Button>
            {may(kind === 'affiliate' ? 'affiliates' : 'sales') && (
              <ConfirmedButton
                dangerous
                action={t.erase}
                subject={name}
                consequence={kind === 'customer' ? t.eraseCustomer : t.eraseAffiliate}
                mutation={erase}
                run={() => erase.mutateAsync({ id })}
              />
            )}
          </Group>
        )}
      </Stack>
    </Section>
  );
}
