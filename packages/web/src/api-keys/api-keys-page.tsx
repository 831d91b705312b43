import { Button, Code, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { Page } from '../components/page.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { CreateApiKey } from './create-api-key.tsx';
import { describePermissions } from './permissions.ts';
import { RevokeButton } from './revoke-button.tsx';

type ApiKey = Outputs['apiKeys']['list']['data'][number];

const COLUMNS: Column<ApiKey>[] = [
  {
    header: 'Name',
    cell: (key) => (
      <>
        <Text fw={500}>{key.name}</Text>
        <Code>{key.prefix}…</Code>
      </>
    ),
  },
  { header: 'State', cell: (key) => <StateBadge state={stateOf(key)} /> },
  { header: 'Permissions', cell: (key) => describePermissions(key.permissions) },
  { header: 'Last used', cell: (key) => <Moment at={key.last_used_at} none="Never" /> },
  { header: 'Expires', cell: (key) => <Moment at={key.expires_at} none="Never" /> },
  { header: 'Created', cell: (key) => <Moment at={key.created_at} /> },
  {
    header: 'Actions',
    cell: (key) => (key.revoked_at === null ? <RevokeButton apiKey={key} /> : <Moment at={key.revoked_at} />),
  },
];

function stateOf({ revoked_at, expires_at }: ApiKey): string {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}

export function ApiKeysPage() {
  const page = usePageNumber();
  const keys = useQuery(trpc.apiKeys.list.queryOptions({ page }));
  const [creating, dialog] = useDisclosure();
  const create = <Button onClick={dialog.open}>Create API key</Button>;
  return (
    <Page title="API keys" description="Keys that authenticate your programs with the REST API." actions={create}>
      <Loaded query={keys}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState title="No API keys yet" action={create}>
              Create one key per program, with only the permissions it needs.
            </EmptyState>
          ) : (
            <Stack>
              <RecordTable caption="API keys" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
              <Paging pagination={pagination} />
            </Stack>
          )
        }
      </Loaded>
      {creating && <CreateApiKey onClose={dialog.close} />}
    </Page>
  );
}
