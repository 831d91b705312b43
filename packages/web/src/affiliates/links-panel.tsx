import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { CreateLink } from './create-link.tsx';
import type { Affiliate } from './affiliate.ts';

type AffiliateLinkRecord = NonNullable<Affiliate['links']>[number];

const COLUMNS: Column<AffiliateLinkRecord>[] = [
  {
    header: 'Link',
    cell: ({ token, tracking_url, url }) => (
      <>
        <Code>{tracking_url}</Code>
        <Text size="sm" c="dimmed">
          {token} → {url}
        </Text>
      </>
    ),
  },
  { header: 'Clicks', numeric: true, cell: ({ clicks }) => clicks.toLocaleString() },
  { header: 'Referrals', numeric: true, cell: ({ visitors }) => visitors.toLocaleString() },
  { header: 'Conversions', numeric: true, cell: ({ conversions }) => conversions.toLocaleString() },
  { header: 'Actions', cell: (link) => <Actions link={link} /> },
];

/** The affiliate's links that are not archived. */
export function LinksPanel({ affiliate }: { affiliate: Affiliate }) {
  const [creating, dialog] = useDisclosure();
  const links = affiliate.links?.filter(({ archived_at }) => archived_at === null) ?? [];
  return (
    <Stack align="flex-start">
      {links.length === 0 ? (
        <Text c="dimmed">No links yet. Visitors who follow a link are attributed to this affiliate.</Text>
      ) : (
        <RecordTable caption="Links" columns={COLUMNS} rows={links} keyOf={({ id }) => id} />
      )}
      {affiliate.archived_at === null && (
        <Button variant="default" onClick={dialog.open}>
          Add link
        </Button>
      )}
      {creating && <CreateLink affiliate={affiliate} onClose={dialog.close} />}
    </Stack>
  );
}

function Actions({ link: { id, token, tracking_url } }: { link: AffiliateLinkRecord }) {
  const archive = useMutation(trpc.links.archive.mutationOptions());
  return (
    <Group gap="xs">
      <CopyButton value={tracking_url}>
        {({ copied, copy }) => (
          <Button size="compact-sm" variant="default" onClick={copy} aria-label={`Copy link: ${token}`} aria-live="polite">
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
      <ConfirmedButton
        action="Archive"
        subject={token}
        dangerous
        consequence="The link still redirects visitors to your site but no longer records visits. This cannot be undone."
        mutation={archive}
        run={() => archive.mutateAsync({ id })}
      />
    </Group>
  );
}
