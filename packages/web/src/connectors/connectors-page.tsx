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
import { CreateConnector } from './create-connector.tsx';
import { RevokeButton } from './revoke-button.tsx';
import { counted } from '../components/labels.ts';

type Connector = Outputs['connectors']['list']['data'][number];

const COLUMNS: Column<Connector>[] = [
  {
    header: 'Connector',
    cell: ({ name, kind, prefix }) => (
      <>
        <Text fw={500}>{name}</Text>
        {kind === 'token' ? (
          <Code>{prefix}…</Code>
        ) : (
          <Text size="sm" c="dimmed">
            Connected in the browser
          </Text>
        )}
      </>
    ),
  },
  { header: 'State', cell: ({ revoked_at }) => <StateBadge state={revoked_at === null ? 'active' : 'revoked'} /> },
  { header: 'Permissions', cell: ({ permissions }) => describe(permissions) },
  { header: 'Last used', cell: ({ last_used_at }) => <Moment at={last_used_at} none="Never" /> },
  { header: 'Expires', cell: ({ expires_at }) => <Moment at={expires_at} none="Never" /> },
  {
    header: 'Actions',
    cell: (connector) =>
      connector.revoked_at === null ? <RevokeButton connector={connector} /> : <Moment at={connector.revoked_at} />,
  },
];

/** A short description of a connector's permissions, e.g. `mcp.affiliates.read`. */
function describe(permissions: Connector['permissions']): string {
  const granted = Object.keys(permissions).filter((name) => permissions[name]);
  const writes = granted.filter((name) => name.endsWith('.write')).map((name) => name.split('.')[1]!.replaceAll('_', ' '));
  return writes.length === 0 ? `Read (${counted(granted.length, 'resource')})` : `Read; write ${writes.join(', ')}`;
}

export function ConnectorsPage() {
  const page = usePageNumber();
  const connectors = useQuery(trpc.connectors.list.queryOptions({ page }));
  const [creating, dialog] = useDisclosure();
  const create = <Button onClick={dialog.open}>Create connector</Button>;
  return (
    <Page
      title="Connectors"
      description={
        <>
          Access for AI assistants over the Model Context Protocol. Assistants preview their changes first. Add the URL{' '}
          <Code>{window.location.origin}/mcp</Code> to the assistant, and it asks for your consent in the browser. If it cannot,
          create a connector and enter its token in the assistant.
        </>
      }
      actions={create}
    >
      <Loaded query={connectors}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState title="No connectors yet" action={create}>
              Connected assistants are listed here. You can revoke their access at any time.
            </EmptyState>
          ) : (
            <Stack>
              <RecordTable caption="Connectors" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
              <Paging pagination={pagination} />
            </Stack>
          )
        }
      </Loaded>
      {creating && <CreateConnector onClose={dialog.close} />}
    </Page>
  );
}
