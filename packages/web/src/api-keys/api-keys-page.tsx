import { Button, Code, Group, Text } from '@mantine/core';
import { useQuery, useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { useAct } from '../components/act.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Moment } from '../components/moment.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { PagedTable } from '../components/paged-table.tsx';
import type { Column } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { t } from '../texts/api-keys.ts';
import { CreateApiKey } from './create-api-key.tsx';
import { describePermissions } from './permissions.ts';

type ApiKey = Outputs['apiKeys']['list']['data'][number];

const COLUMNS: Column<ApiKey>[] = [
  {
    header: t.name,
    cell: (key) => (
      <>
        <Text fw={500}>{key.name}</Text>
        <Code style={{ whiteSpace: 'nowrap' }}>{key.prefix}…</Code>
      </>
    ),
  },
  { header: t.state, cell: (key) => <StateBadge state={stateOf(key)} /> },
  { header: t.mode, cell: ({ livemode }) => (livemode === null ? t.withoutMode : livemode ? t.liveMode : t.testMode) },
  { header: t.permissions, cell: (key) => describePermissions(key.permissions) },
  { header: t.lastUsed, cell: (key) => <Moment at={key.last_used_at} none={t.never} /> },
  { header: t.expires, cell: (key) => <Moment at={key.expires_at} none={t.never} /> },
  { header: t.created, cell: (key) => <Moment at={key.created_at} /> },
  {
    header: t.actions,
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
  const act = useAct({ create: 'api_keys' });
  const create = <Button onClick={() => act.ask('create')}>{t.createApiKey}</Button>;
  const actions = (
    <Group>
      <Button component={Link} to="/settings/api-keys/requests" variant="default">
        {t.apiLog}
      </Button>
      {create}
    </Group>
  );
  return (
    <Page title={t.apiKeys} description={t.description} actions={actions}>
      <PagedTable
        query={keys}
        caption={t.apiKeys}
        columns={COLUMNS}
        empty={
          <EmptyState picture="keys" title={t.noApiKeysYet} action={create}>
            {t.noKeysHint}
          </EmptyState>
        }
      />
      {act.current === 'create' && <CreateApiKey onClose={act.end} />}
    </Page>
  );
}

export function RevokeButton({ apiKey }: { apiKey: Outputs['apiKeys']['list']['data'][number] }) {
  const revoke = useMutation(trpc.apiKeys.revoke.mutationOptions());
  return (
    <ConfirmedButton
      action={t.revoke}
      subject={apiKey.name}
      consequence={t.revokeConsequence}
      dangerous
      mutation={revoke}
      run={() => revoke.mutateAsync({ id: apiKey.id })}
    />
  );
}
