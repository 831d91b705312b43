import { Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client, trpc } from '../api/client.ts';
import { Loaded } from '../components/loaded.tsx';
import { Section } from '../components/section.tsx';
import { PayoutAddresses } from '../payout-methods/payout-addresses.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/affiliates.ts';
import type { Affiliate } from './affiliate.ts';

/** The affiliate's accounts at banks. Not shown while the merchant pays to none. */
export function PayoutMethodsPanel({ affiliate: { id: affiliate_id } }: { affiliate: Affiliate }) {
  const may = useMay();
  const kinds = useQuery(trpc.payoutMethods.kinds.queryOptions({}));
  const methods = useQuery(trpc.payoutMethods.list.queryOptions({ affiliate_id }));
  const save = useMutation({
    gcTime: 0,
    mutationFn: ({ kind, address }: { kind: string; address: Record<string, string> }) => {
      const known = methods.data?.data.find((method) => method.kind === kind);
      return known
        ? client.payoutMethods.update.mutate({ id: known.id, address })
        : client.payoutMethods.create.mutate({ affiliate_id, kind, address });
    },
  });
  const open = useMutation({
    gcTime: 0,
    mutationFn: (input: { kind: string; country?: string }) =>
      client.payoutMethods.openAccount.mutate({ affiliate_id, ...input }),
  });
  const remove = useMutation(trpc.payoutMethods.retire.mutationOptions());
  const offered = kinds.data?.data ?? [];
  if (!offered.some(({ fields }) => fields.some(({ name }) => name !== 'email'))) return null;
  return (
    <Section title={t.bankAccounts}>
      <Loaded query={methods}>
        {({ data }) => (
          <Stack>
            <PayoutAddresses
              offered={offered}
              methods={data}
              order={3}
              mayChange={may('payouts')}
              save={save}
              remove={remove}
              open={open}
            >
              <Text size="sm">{t.affiliateIsTold}</Text>
            </PayoutAddresses>
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
