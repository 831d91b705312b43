import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Failure } from '../components/failure.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Panel } from '../components/panel.tsx';
import { QrCode } from '../components/qr-code.tsx';
import type { Column } from '../components/record-table.tsx';
import { webAddress } from '../components/web-address.ts';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/portal-pages.ts';
import { t as common } from '../texts/portal.ts';
import { CopyLink } from './copy-button.tsx';
import { usePortalPerson } from './portal-session.tsx';
import { RecordPage } from './record-page.tsx';
import { TermsFirst } from './terms-first.tsx';
import classes from './portal-layout.module.css';

type PortalLink = Outputs['portal']['listLinks']['data'][number];

const COLUMNS: Column<PortalLink>[] = [
  {
    header: t.link,
    cell: ({ copy_url, url }) => (
      <>
        <Text className={classes['url']} size="sm">
          {copy_url}
        </Text>
        <Text size="sm" c="dimmed">
          {t.leadsTo({ url })}
        </Text>
      </>
    ),
  },
  { header: common.clicks, numeric: true, cell: ({ clicks }) => clicks.toLocaleString(LOCALE) },
  { header: common.visitors, numeric: true, cell: ({ visitors }) => visitors.toLocaleString(LOCALE) },
  { header: common.conversions, numeric: true, cell: ({ conversions }) => conversions.toLocaleString(LOCALE) },
  { header: t.share, cell: (link) => <Share link={link} /> },
];

export function LinksPage() {
  return (
    <TermsFirst title={common.links}>
      <Links />
    </TermsFirst>
  );
}

function Links() {
  const page = usePageNumber();
  const { affiliation, isView } = usePortalPerson();
  const links = useQuery(trpc.portal.listLinks.queryOptions({ page }));
  const home = useQuery(trpc.portal.home.queryOptions());
  const hasEnded = home.data !== undefined && home.data.campaign.archived_at !== null;
  return (
    <RecordPage title={common.links} none={t.noLinks} query={links} columns={COLUMNS}>
      {affiliation.state === 'active' && !isView && !hasEnded && <NewLink />}
      <PromoCodes />
    </RecordPage>
  );
}

/** Shows the codes that customers enter instead of following a link. Shows nothing if there are none. */
function PromoCodes() {
  const { data } = useQuery(trpc.portal.listPromoCodes.queryOptions());
  const codes = data?.data.filter(({ status }) => status === 'active') ?? [];
  if (codes.length === 0) return null;
  return (
    <Text>
      {t.promoCodes}{' '}
      {codes.map(({ code }) => (
        <Code key={code}>{code}</Code>
      ))}
    </Text>
  );
}

function Share({ link: { copy_url, token, earns } }: { link: PortalLink }) {
  const [shown, show] = useState(false);
  if (!earns) return <Text size="sm">{common.earnsNothing}</Text>;
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="xs" wrap="nowrap">
        <CopyLink url={copy_url} token={token} />
        <Button
          size="compact-md"
          fz="sm"
          variant="default"
          aria-expanded={shown}
          onClick={() => show(!shown)}
          aria-label={t.qrCodeLabel({ token })}
        >
          {t.qrCode}
        </Button>
      </Group>
      {shown && <QrCode text={copy_url} label={t.qrCodeOf({ token })} />}
    </Stack>
  );
}

function NewLink() {
  const home = useQuery(trpc.portal.home.queryOptions());
  const form = useForm({ initialValues: { url: '', token: '' } });
  const create = useMutation(trpc.portal.createLink.mutationOptions({ onError: showFieldErrors(form), onSuccess: form.reset }));
  const site = home.data?.campaign.url ?? '';
  return (
    <Panel title={t.newLink}>
      <form
        aria-label={t.newLink}
        onSubmit={form.onSubmit(({ url, token }) =>
          create.mutate({
            url: url.trim() === '' ? site : webAddress(url),
            ...(token.trim() === '' ? {} : { token: token.trim() }),
          }),
        )}
      >
        <Stack>
          <TextInput
            label={t.pageToShare}
            description={t.pageToShareExplained}
            placeholder={site}
            inputMode="url"
            {...form.getInputProps('url')}
          />
          <TextInput label={t.linkCode} description={t.linkCodeExplained} maxLength={64} {...form.getInputProps('token')} />
          {create.isError && <Failure error={create.error} />}
          <Group>
            <Button type="submit" loading={create.isPending} disabled={site === ''}>
              {t.createLink}
            </Button>
            <Text role="status" size="sm">
              {create.isSuccess ? t.linkCreated({ token: create.data.token }) : ''}
            </Text>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
