import { Button, Code, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { useAct } from '../components/act.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { PagedTable } from '../components/paged-table.tsx';
import { Panel } from '../components/panel.tsx';
import type { Column } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { t } from '../texts/connectors.ts';
import { AddToAssistant } from './add-to-assistant.tsx';
import { CreateConnector, EditButton } from './connector-forms.tsx';
import { accessOfConnector } from './describe-access.ts';
import { RevokeButton } from './revoke-button.tsx';

type Connector = Outputs['connectors']['list']['data'][number];

const COLUMNS: Column<Connector>[] = [
  {
    header: t.connector,
    cell: ({ name, kind, prefix }) => (
      <>
        <Text fw={500}>{name}</Text>
        {kind === 'token' ? (
          <Code>{prefix}…</Code>
        ) : (
          <Text size="sm" c="dimmed">
            {t.connectedInTheBrowser}
          </Text>
        )}
      </>
    ),
  },
  { header: t.state, cell: ({ revoked_at }) => <StateBadge state={revoked_at === null ? 'active' : 'revoked'} /> },
  { header: t.permissions, cell: accessOfConnector },
  { header: t.lastUsed, cell: ({ last_used_at }) => <Moment at={last_used_at} none={t.never} /> },
  { header: t.expires, cell: ({ expires_at }) => <Moment at={expires_at} none={t.never} /> },
  {
    header: t.actions,
    cell: (connector) =>
      connector.revoked_at === null ? (
        <Group gap="xs">
          <EditButton connector={connector} />
          <RevokeButton connector={connector} />
        </Group>
      ) : (
        <Moment at={connector.revoked_at} />
      ),
  },
];

export function ConnectorsPage() {
  const page = usePageNumber();
  const connectors = useQuery(trpc.connectors.list.queryOptions({ page }));
  const act = useAct({ create: 'connectors' });
  const create = <Button onClick={() => act.ask('create')}>{t.createConnector}</Button>;
  return (
    <Page
      title={t.connectors}
      description={<Filled text={t.description} values={{ url: <Code>{`${window.location.origin}/mcp`}</Code> }} />}
      actions={create}
    >
      <Panel title={t.add}>
        <AddToAssistant />
      </Panel>
      <PagedTable
        query={connectors}
        caption={t.connectors}
        columns={COLUMNS}
        empty={
          <EmptyState picture="connectors" title={t.noConnectorsYet} action={create}>
            {t.noneConnected}
          </EmptyState>
        }
      />
      {act.current === 'create' && <CreateConnector onClose={act.end} />}
    </Page>
  );
}
