import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { CreateLink } from './create-link.tsx';
import type { Affiliate } from './affiliate.ts';
import { t } from '../texts/en/affiliates.ts';
import { LOCALE } from '../texts/language.ts';

type AffiliateLinkRecord = NonNullable<Affiliate['links']>[number];

const COLUMNS: Column<AffiliateLinkRecord>[] = [
  {
    header: t.link,
    cell: ({ token, tracking_url, url }) => (
      <>
        <Code>{tracking_url}</Code>
        <Text size="sm" c="dimmed">
          {token} → {url}
        </Text>
      </>
    ),
  },
  { header: t.clicks, numeric: true, cell: ({ clicks }) => clicks.toLocaleString(LOCALE) },
  { header: t.referrals, numeric: true, cell: ({ visitors }) => visitors.toLocaleString(LOCALE) },
  { header: t.conversions, numeric: true, cell: ({ conversions }) => conversions.toLocaleString(LOCALE) },
  { header: t.actions, cell: (link) => <Actions link={link} /> },
];

/** The affiliate's links that are not archived. */
export function LinksPanel({ affiliate }: { affiliate: Affiliate }) {
  const [creating, dialog] = useDisclosure();
  const links = affiliate.links?.filter(({ archived_at }) => archived_at === null) ?? [];
  return (
    <Stack align="flex-start">
      {links.length === 0 ? (
        <Text c="dimmed">{t.noLinks}</Text>
      ) : (
        <RecordTable caption={t.links} columns={COLUMNS} rows={links} keyOf={({ id }) => id} />
      )}
      {affiliate.archived_at === null && (
        <Button variant="default" onClick={dialog.open}>
          {t.addLink}
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
          <Button size="compact-sm" variant="default" onClick={copy} aria-label={t.copyLink({ token })} aria-live="polite">
            {copied ? t.copied : t.copy}
          </Button>
        )}
      </CopyButton>
      <ConfirmedButton
        action={t.archive}
        subject={token}
        dangerous
        consequence={t.theLinkStillRedirectsVisitors}
        mutation={archive}
        run={() => archive.mutateAsync({ id })}
      />
    </Group>
  );
}
