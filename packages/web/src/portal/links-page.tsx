import { Button, Code, Group, Stack, Text, TextInput, type TextInputProps, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { skipToken, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, client, trpc } from '../api/client.ts';
import { serviceErrorOf } from '../api/service-error.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { Failure } from '../components/failure.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Panel } from '../components/panel.tsx';
import { QrCode, qrPng, qrSvg } from '../components/qr-code.tsx';
import { readableText } from '../components/readable-message.ts';
import type { Column } from '../components/record-table.tsx';
import { saveFile } from '../components/save-file.ts';
import { SaveRow } from '../components/save-row.tsx';
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

/** Pause in typing after which a code is checked. */
const CHECK_AFTER_MS = 300;

const COLUMNS: Column<PortalLink>[] = [
  {
    header: t.link,
    cell: ({ copy_url, url, label }) => (
      <>
        {label !== null && <Text fw={600}>{label}</Text>}
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

/** Opens the share sheet of the phone. */
function ShareSheet({ url, token }: { url: string; token: string }) {
  // A person who closes the sheet has chosen to share nothing.
  const open = () => void navigator.share({ url }).catch(() => undefined);
  return (
    <Button size="compact-md" fz="sm" variant="default" onClick={open} aria-label={t.shareLinkOf({ token })}>
      {t.shareLink}
    </Button>
  );
}

function Share({ link }: { link: PortalLink }) {
  const { id, copy_url, token, earns } = link;
  const [shown, show] = useState(false);
  const [edited, edit] = useState(false);
  const { affiliation, isView } = usePortalPerson();
  const archive = useMutation(trpc.portal.archiveLink.mutationOptions());
  const mayChange = affiliation.state === 'active' && !isView;
  if (!earns) return <Text size="sm">{common.earnsNothing}</Text>;
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="xs" wrap="nowrap">
        <CopyLink url={copy_url} token={token} />
        {'share' in navigator && <ShareSheet url={copy_url} token={token} />}
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
      {shown && (
        <>
          <QrCode text={copy_url} label={t.qrCodeOf({ token })} />
          <Group gap="xs" wrap="nowrap">
            <QrFile format="PNG" token={token} load={() => qrPng(copy_url)} />
            <QrFile format="SVG" token={token} load={async () => qrSvg(copy_url)} />
          </Group>
        </>
      )}
      {mayChange && (
        <Group gap="xs" wrap="nowrap">
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={edited}
            aria-label={t.nameLinkOf({ token })}
            onClick={() => edit(!edited)}
          >
            {t.nameLink}
          </Button>
          <ConfirmedButton
            action={t.archive}
            subject={token}
            dangerous
            consequence={t.archiveConsequence}
            mutation={archive}
            run={() => archive.mutateAsync({ id })}
          />
        </Group>
      )}
      {mayChange && edited && <Naming link={link} />}
    </Stack>
  );
}

/** Changes the label of a link, and its code once. */
function Naming({ link: { id, token, former_token, label } }: { link: PortalLink }) {
  const form = useForm({ initialValues: { label: label ?? '', token } });
  const save = useMutation(trpc.portal.updateLink.mutationOptions({ onError: showFieldErrors(form) }));
  return (
    <form
      aria-label={t.nameLinkOf({ token })}
      onSubmit={form.onSubmit((values) => {
        const typed = values.token.trim();
        save.mutate({ id, label: values.label.trim() || null, ...(typed === token ? {} : { token: typed }) });
      })}
    >
      <Stack gap="xs">
        <LabelField {...form.getInputProps('label')} />
        {former_token === null ? (
          <CodeField description={t.codeChangedOnce} own={token} {...form.getInputProps('token')} />
        ) : (
          <Text size="sm" c="dimmed">
            {t.formerCode({ token: former_token })}
          </Text>
        )}
        <SaveRow save={save} saysSaved />
      </Stack>
    </form>
  );
}

function LabelField(field: TextInputProps) {
  return <TextInput label={t.linkLabel} description={t.linkLabelExplained} maxLength={60} {...field} />;
}

/** A field for the code of a link, which is checked while somebody types it. `own` needs no check. */
function CodeField({ own, description, error, value, ...field }: TextInputProps & { value?: string; own?: string }) {
  const [asked] = useDebouncedValue((value ?? '').trim(), CHECK_AFTER_MS);
  const isAsked = asked !== '' && asked !== own;
  const checked = useQuery({
    queryKey: ['link-code', asked],
    queryFn: isAsked ? () => client.portal.checkLinkCode.mutate({ token: asked }) : skipToken,
    retry: false,
    staleTime: 0,
  });
  const refusal = isAsked && checked.isError ? Object.values(serviceErrorOf(checked.error).fields)[0] : undefined;
  const spelled = isAsked && checked.isSuccess ? checked.data.token : null;
  return (
    <TextInput
      label={t.linkCode}
      description={spelled === null ? description : t.codeIsFree({ token: spelled })}
      descriptionProps={{ 'aria-live': 'polite' }}
      maxLength={64}
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      error={error ?? (refusal === undefined ? undefined : readableText(refusal))}
      {...field}
    />
  );
}

function QrFile({ format, token, load }: { format: 'PNG' | 'SVG'; token: string; load: () => Promise<BlobPart> }) {
  const type = format === 'PNG' ? 'image/png' : 'image/svg+xml';
  const save = useMutation({
    mutationFn: load,
    onSuccess: (part) => saveFile(`${token}.${format.toLowerCase()}`, [part], type),
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={save.isPending}
      onClick={() => save.mutate()}
      aria-label={t.qrCodeAs({ format, token })}
    >
      {format}
    </Button>
  );
}

function NewLink() {
  const home = useQuery(trpc.portal.home.queryOptions());
  const form = useForm({ initialValues: { url: '', token: '', label: '' } });
  const create = useMutation({
    mutationFn: async ({ pages, token, label }: { pages: string[]; token: string; label: string | null }) => {
      const tokens: string[] = [];
      for (const [at, url] of pages.entries()) {
        // The pages whose links could not be created stay in the form.
        form.setFieldValue('url', pages.slice(at).join('\n'));
        const link = await client.portal.createLink.mutate({
          url: webAddress(url),
          label,
          ...(token === '' || at > 0 ? {} : { token }),
        });
        tokens.push(link.token);
      }
      return tokens;
    },
    onError: showFieldErrors(form),
    onSuccess: form.reset,
  });
  const site = home.data?.campaign.url ?? '';
  return (
    <Panel title={t.newLink}>
      <form
        aria-label={t.newLink}
        onSubmit={form.onSubmit(({ url, token, label }) => {
          const pages = url.split('\n').filter((page) => page.trim() !== '');
          create.mutate({ pages: pages.length === 0 ? [site] : pages, token: token.trim(), label: label.trim() || null });
        })}
      >
        <Stack>
          <Textarea
            rows={2}
            label={t.pageToShare}
            description={t.pageToShareExplained}
            placeholder={site}
            inputMode="url"
            {...form.getInputProps('url')}
          />
          <CodeField description={t.linkCodeExplained} {...form.getInputProps('token')} />
          <LabelField {...form.getInputProps('label')} />
          {create.isError && <Failure error={create.error} />}
          <Group>
            <Button type="submit" loading={create.isPending} disabled={site === ''}>
              {t.createLink}
            </Button>
            <Text role="status" size="sm">
              {create.isSuccess ? t.linkCreated({ token: create.data.join(', ') }) : ''}
            </Text>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
