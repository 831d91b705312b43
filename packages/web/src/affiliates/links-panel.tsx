import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { RestoreButton } from '../components/restore-button.tsx';
import { webAddress } from '../components/web-address.ts';
import { Writers, useMay } from '../session/session.tsx';
import { t } from '../texts/affiliates.ts';
import { t as archiveTexts } from '../texts/archive.ts';
import { LOCALE } from '../texts/language.ts';
import type { Affiliate } from './affiliate.ts';

type AffiliateLinkRecord = NonNullable<Affiliate['links']>[number];

const COLUMNS: Column<AffiliateLinkRecord>[] = [
  {
    header: t.link,
    cell: ({ token, copy_url, url }) => (
      <>
        <Code>{copy_url}</Code>
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

const ARCHIVED_COLUMNS: Column<AffiliateLinkRecord>[] = [
  { header: archiveTexts.link, cell: ({ token, url }) => `${token} → ${url}` },
];

const RESTORING: Column<AffiliateLinkRecord> = {
  header: archiveTexts.actions,
  cell: ({ id, token }) => <RestoreButton name={token} restore={() => client.links.update.mutate({ id, archived_at: null })} />,
};

/** Lists the affiliate's links that are not archived. */
export function LinksPanel({ affiliate }: { affiliate: Affiliate }) {
  const may = useMay();
  const [showsArchived, shown] = useDisclosure();
  const links = affiliate.links?.filter(({ archived_at }) => archived_at === null) ?? [];
  return (
    <Stack align="flex-start">
      {links.length === 0 ? (
        <Text c="dimmed">{t.noLinks}</Text>
      ) : (
        <RecordTable caption={t.links} columns={COLUMNS} rows={links} keyOf={({ id }) => id} />
      )}
      <Group>
        {affiliate.archived_at === null && may('links') && (
          <DialogButton action={t.addLink}>{(close) => <CreateLink affiliate={affiliate} onClose={close} />}</DialogButton>
        )}
        <Button variant="default" onClick={shown.toggle}>
          {showsArchived ? archiveTexts.hideArchivedLinks : archiveTexts.showArchivedLinks}
        </Button>
      </Group>
      {showsArchived && <ArchivedLinks affiliateId={affiliate.id} />}
    </Stack>
  );
}

/** Lists the latest archived links, each with a button to restore it. */
function ArchivedLinks({ affiliateId }: { affiliateId: string }) {
  const may = useMay();
  const links = useQuery(trpc.links.list.queryOptions({ affiliate_id: affiliateId, archived: true, limit: 100 }));
  return (
    <Loaded query={links}>
      {({ data }) =>
        data.length === 0 ? (
          <Text>{archiveTexts.noneArchived}</Text>
        ) : (
          <RecordTable
            caption={archiveTexts.archivedLinks}
            columns={may('links') ? [...ARCHIVED_COLUMNS, RESTORING] : ARCHIVED_COLUMNS}
            rows={data}
            keyOf={({ id }) => id}
          />
        )
      }
    </Loaded>
  );
}

function Actions({ link: { id, token, copy_url } }: { link: AffiliateLinkRecord }) {
  const archive = useMutation(trpc.links.archive.mutationOptions());
  return (
    <Group gap="xs">
      <CopyButton value={copy_url} size="compact-sm" label={t.copyLink({ token })} />
      <Writers of="links">
        <ConfirmedButton
          action={t.archive}
          subject={token}
          dangerous
          consequence={t.theLinkStillRedirectsVisitors}
          mutation={archive}
          run={() => archive.mutateAsync({ id })}
        />
      </Writers>
    </Group>
  );
}

/** Creates a link for the affiliate's campaign. */
function CreateLink({ affiliate, onClose }: { affiliate: Affiliate; onClose: () => void }) {
  const form = useForm({ initialValues: { url: affiliate.campaign?.url ?? '', token: '' } });
  const create = useMutation(trpc.links.create.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  return (
    <FormDialog
      title={t.addLink}
      submit={t.add}
      progress={create}
      onClose={onClose}
      onSubmit={form.onSubmit(({ url, token }) =>
        create.mutate({
          affiliate_id: affiliate.id,
          campaign_id: affiliate.campaign_id,
          url: webAddress(url),
          ...(token.trim() === '' ? {} : { token: token.trim() }),
        }),
      )}
    >
      <TextInput
        label={t.destination}
        description={t.linkUrlHint}
        required
        inputMode="url"
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextInput label={t.linkCode} description={t.tokenHint} maxLength={64} {...form.getInputProps('token')} />
    </FormDialog>
  );
}
