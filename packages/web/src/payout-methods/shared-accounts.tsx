import { Alert, Stack } from '@mantine/core';
import type { Outputs } from '../api/client.ts';
import { RecordLink } from '../components/cells.tsx';
import { Filled } from '../components/filled.tsx';
import { t } from '../texts/payout-methods.ts';

/** Says which other affiliates are paid to the same accounts. */
export function SharedAccounts({ shared }: { shared: Outputs['affiliates']['get']['shared_accounts'] }) {
  if (!shared || shared.length === 0) return null;
  return (
    <Alert color="yellow">
      <Stack gap="xs">
        {shared.map(({ affiliate_id, affiliate_name, kind, hint }) => (
          <div key={`${affiliate_id} ${kind}`}>
            <Filled
              text={t.sharedAccount}
              values={{ other: <RecordLink to={`/affiliates/${affiliate_id}`}>{affiliate_name}</RecordLink>, hint }}
            />
          </div>
        ))}
      </Stack>
    </Alert>
  );
}
