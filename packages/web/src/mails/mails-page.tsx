import { Accordion, Badge, Button, Checkbox, Group, NativeSelect, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Failure } from '../components/failure.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Moment } from '../components/moment.tsx';
import { notify } from '../components/notices.tsx';
import { Page } from '../components/page.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { OutboxNotice } from '../outbox/outbox-notice.tsx';
import { LANGUAGES, type Language, language } from '../texts/language.ts';
import { t as occasions } from '../texts/mail-occasions.ts';
import { t } from '../texts/mails.ts';

type Template = Outputs['emailTexts']['list']['data'][number];

/** Edits the texts of the emails to affiliates. */
export function MailsPage() {
  const [chosen, choose] = useState<Language>(language);
  const templates = useQuery(trpc.emailTexts.list.queryOptions({ language: chosen }));
  return (
    <LoadedPage query={templates}>
      {({ data }) => (
        <Page title={t.mails} description={t.description}>
          <OutboxNotice />
          <Recipients />
          <NativeSelect
            label={t.language}
            description={t.languageExplained}
            maw={720}
            value={chosen}
            onChange={({ currentTarget: { value } }) => choose(value as Language)}
            data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
          />
          <Accordion maw={720} variant="separated" order={2}>
            {data.map((template) => (
              <Accordion.Item key={template.mail} value={template.mail}>
                <Accordion.Control>
                  <Group gap="sm">
                    {occasions[template.mail]}
                    {!template.is_default && <Badge variant="default">{t.changed}</Badge>}
                    {!template.is_sent && <Badge variant="default">{t.notSent}</Badge>}
                    {!template.can_unsubscribe && <Badge variant="default">{t.always}</Badge>}
                  </Group>
                </Accordion.Control>
                <Accordion.Panel>
                  {template.is_optional && <SentSwitch template={template} />}
                  <TemplateForm key={`${template.language} ${template.subject} ${template.body}`} template={template} />
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
          <BlockedAddresses />
        </Page>
      )}
    </LoadedPage>
  );
}

type BlockedAddress = Outputs['emailTexts']['listBlocked']['data'][number];

const BLOCKED_COLUMNS: Column<BlockedAddress>[] = [
  { header: t.address, cell: ({ email }) => email },
  { header: t.reason, cell: ({ reason }) => t[reason] },
  { header: t.blockedUntil, cell: ({ expires_at }) => expires_at !== null && <Moment at={expires_at} /> },
  { header: t.actions, cell: ({ email, reason }) => reason !== 'unsubscribed' && <Unblock email={email} /> },
];

function Unblock({ email }: { email: string }) {
  const unblock = useMutation(
    trpc.emailTexts.unblock.mutationOptions({ onSuccess: () => notify(t.unblocked({ address: email })) }),
  );
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={t.unblockNamed({ address: email })}
        loading={unblock.isPending}
        onClick={() => unblock.mutate({ email })}
      >
        {t.unblock}
      </Button>
      {unblock.isError && <Failure error={unblock.error} />}
    </>
  );
}

/** Lists the addresses that get no emails, if there are any. */
function BlockedAddresses() {
  const { data } = useQuery(trpc.emailTexts.listBlocked.queryOptions());
  if (!data || data.data.length === 0) return null;
  return (
    <Stack gap="xs" mt="xl" maw={720}>
      <Title order={2}>{t.blocked}</Title>
      <Text size="sm">{t.blockedExplained}</Text>
      <RecordTable
        caption={t.blocked}
        columns={BLOCKED_COLUMNS}
        rows={data.data}
        keyOf={({ email, reason }) => `${email} ${reason}`}
      />
    </Stack>
  );
}

/** Chooses which affiliates get the emails of the program, and says how many those are. */
function Recipients() {
  const settings = useQuery(trpc.portalSettings.get.queryOptions());
  const counted = useQuery(trpc.emailTexts.listBlocked.queryOptions());
  const update = useMutation(trpc.portalSettings.update.mutationOptions({ onSuccess: () => notify(t.recipientsSaved) }));
  if (!settings.data) return null;
  const label = (choice: 'everyone' | 'signed_in') =>
    counted.data ? t.counted({ who: t[choice], number: counted.data.recipients[choice] }) : t[choice];
  return (
    <Stack gap="xs" mb="md" maw={720}>
      <NativeSelect
        label={t.recipients}
        description={t.recipientsExplained}
        value={settings.data.program_emails}
        disabled={update.isPending}
        onChange={({ currentTarget: { value } }) => update.mutate({ program_emails: value as 'everyone' | 'signed_in' })}
        data={(['everyone', 'signed_in'] as const).map((value) => ({ value, label: label(value) }))}
      />
      {update.isError && <Failure error={update.error} />}
    </Stack>
  );
}

/** Starts or stops sending an email. */
function SentSwitch({ template: { mail, is_sent } }: { template: Template }) {
  const choose = useMutation(trpc.emailTexts.choose.mutationOptions());
  return (
    <Stack gap="xs" mb="md">
      <Checkbox
        label={t.send}
        checked={is_sent}
        disabled={choose.isPending}
        onChange={({ currentTarget: { checked } }) => choose.mutate({ mail, is_sent: checked })}
      />
      {choose.isError && <Failure error={choose.error} />}
    </Stack>
  );
}

function TemplateForm({ template: { mail, language, subject, body, placeholders, is_default } }: { template: Template }) {
  const form = useForm({ initialValues: { subject, body } });
  const save = useMutation(
    trpc.emailTexts.update.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: () => notify(t.saved),
    }),
  );
  const reset = useMutation(trpc.emailTexts.reset.mutationOptions({ onSuccess: () => notify(t.wasReset) }));
  const test = useMutation(
    trpc.emailTexts.sendTest.mutationOptions({
      onSuccess: ({ to }) => notify(t.sent({ address: to })),
    }),
  );
  const preview = useMutation(trpc.emailTexts.preview.mutationOptions());
  return (
    <form onSubmit={form.onSubmit((texts) => save.mutate({ mail, language, ...texts }))}>
      <Stack>
        <TextInput label={t.subject} required maxLength={200} {...form.getInputProps('subject')} />
        <Textarea
          label={t.body}
          description={t.bodyExplained}
          required
          autosize
          minRows={4}
          maxRows={16}
          maxLength={5_000}
          {...form.getInputProps('body')}
        />
        <Text size="sm" c="dimmed">
          {t.placeholders({ names: placeholders.map((name) => `{{${name}}}`).join(', ') })}
        </Text>
        <SaveRow save={save} />
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            loading={preview.isPending}
            onClick={() => preview.mutate({ mail, language, ...form.getValues() })}
          >
            {t.preview}
          </Button>
          <Button variant="default" size="compact-sm" loading={test.isPending} onClick={() => test.mutate({ mail, language })}>
            {t.sendTest}
          </Button>
          {!is_default && (
            <Button
              variant="default"
              size="compact-sm"
              loading={reset.isPending}
              onClick={() => reset.mutate({ mail, language })}
            >
              {t.reset}
            </Button>
          )}
        </Group>
        {test.isError && <Failure error={test.error} />}
        {reset.isError && <Failure error={reset.error} />}
        {preview.isError && <Failure error={preview.error} />}
        {preview.data && <Preview {...preview.data} />}
      </Stack>
    </form>
  );
}

/** Shows the plain-text version of the email. The HTML version has the same content. */
function Preview({ subject, text }: Pick<Outputs['emailTexts']['preview'], 'subject' | 'text'>) {
  return (
    <section aria-label={t.preview}>
      <Text fw={600}>{subject}</Text>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
        {text}
      </Text>
    </section>
  );
}
