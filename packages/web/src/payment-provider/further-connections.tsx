import { Alert, Anchor, Code, Group, Paper, PasswordInput, Select, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { Link } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Branded } from '../components/cells.tsx';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { CredentialFields, credentialsIn } from '../components/credential-fields.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { Section } from '../components/section.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { Unattributed } from '../customers/unattributed-sales.tsx';
import { Ago } from '../lists/ago.tsx';
import { CHOICE_LABELS, FIELD_LABELS, HINTS, OPTION_LABELS, t } from '../texts/further-connections.ts';

type Source = Outputs['connections']['sources']['data'][number];
type Listed = Outputs['connections']['list']['data'][number];

const REFRESH_MS = 10_000;
const LIMIT = 100;

/** A signing secret that was just made, with the name of its source. */
interface Made {
  name: string;
  secret: string;
}

/** The connections to all payment providers beside the one above, with a form that adds one. */
export function FurtherConnections() {
  const sources = useQuery(trpc.connections.sources.queryOptions({}));
  const connections = useQuery(trpc.connections.list.queryOptions({ limit: LIMIT }, { refetchInterval: REFRESH_MS }));
  const [made, setMade] = useState<Made | null>(null);
  return (
    <Section title={t.title}>
      <Loaded query={sources}>
        {({ data: kinds }) => (
          <Stack>
            <Loaded query={connections}>
              {({ data }) => (
                <>
                  {furtherOf(data).map((connection) => (
                    <FurtherConnection
                      key={connection.id}
                      connection={connection}
                      source={kinds.find(({ source }) => source === connection.source)}
                      onSecret={setMade}
                    />
                  ))}
                  {furtherOf(data).length === 0 && <Text>{t.none}</Text>}
                </>
              )}
            </Loaded>
            <Group>
              <DialogButton action={t.add}>
                {(close) => <AddDialog sources={kinds} onClose={close} onSecret={setMade} />}
              </DialogButton>
            </Group>
            {made !== null && (
              <SecretDialog
                title={t.secretOf({ name: made.name })}
                label={t.signingSecret}
                secret={made.secret}
                hint={t.secretHint}
                onClose={() => setMade(null)}
              />
            )}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

/** The settings above show the oldest connection to the first provider. */
function firstOf(all: readonly Listed[]): Listed | undefined {
  return all.findLast(({ source }) => source === 'stripe');
}

function furtherOf(all: readonly Listed[]): Listed[] {
  const first = firstOf(all);
  return all.filter((connection) => connection !== first);
}

/** The merchant's decisions about the connection that the settings above show, and its key. */
export function KeyAndChoicesOfFirst() {
  const sources = useQuery(trpc.connections.sources.queryOptions({}));
  const connections = useQuery(trpc.connections.list.queryOptions({ limit: LIMIT }));
  const first = firstOf(connections.data?.data ?? []);
  const source = sources.data?.data.find((each) => each.source === first?.source);
  if (first === undefined || source === undefined) return null;
  return (
    <>
      {source.choices.length > 0 && <Choices connection={first} offered={source.choices} />}
      <Group>
        <RenewKey connection={first} source={source} />
      </Group>
    </>
  );
}

function nameOf({ source, name }: Source): string {
  return source === 'facts' ? t.facts : name;
}

function FurtherConnection({
  connection,
  source,
  onSecret,
}: {
  connection: Listed;
  source: Source | undefined;
  onSecret: (made: Made) => void;
}) {
  const { id, livemode, provider_account_name, webhook_url, webhook_event_types, has_signing_secret } = connection;
  const { key_expires_at, problem, last_event_at, ignored_events, ignored_reasons, waiting_events } = connection;
  const remove = useMutation(trpc.connections.remove.mutationOptions());
  const rotate = useMutation(trpc.connections.update.mutationOptions({ gcTime: 0 }));
  const name = source ? nameOf(source) : connection.source;
  const title = provider_account_name === null ? name : `${name}: ${provider_account_name}`;
  const unattributed = t.unattributed({ name: title });
  return (
    <Paper withBorder p="lg" radius="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} size="h5">
            <Branded kind={connection.source} name={title} />
          </Title>
          <StateBadge state={livemode ? 'live_mode' : 'test_mode'} />
        </Group>
        <Code block tabIndex={0} aria-label={t.address}>
          {webhook_url}
        </Code>
        <Text>
          {last_event_at === null ? t.noEvent : <Filled text={t.lastEvent} values={{ at: <Ago at={last_event_at} /> }} />}
        </Text>
        {problem !== null && (
          <Alert color="red" title={t.problem}>
            {problem}
          </Alert>
        )}
        {key_expires_at !== null && (
          <Alert color="yellow" title={t.keyExpires}>
            <Filled text={t.keyExpiresAt} values={{ at: <Moment at={key_expires_at} /> }} />
          </Alert>
        )}
        {ignored_events > 0 && <Text size="sm">{t.ignored(ignored_events)}</Text>}
        {ignored_reasons.map(({ reason, count }) => (
          <Text key={reason} size="sm" c="dimmed">
            {`${count} × ${reason}`}
          </Text>
        ))}
        <Anchor component={Link} to="/settings/tracking" size="sm">
          {t.followPurchase}
        </Anchor>
        {last_event_at !== null && (
          <div>
            <Title order={4} size="h6">
              {unattributed}
            </Title>
            <Unattributed of={{ connection_id: id }} caption={unattributed} />
          </div>
        )}
        {waiting_events > 0 && <Text size="sm">{t.waiting(waiting_events)}</Text>}
        {source !== undefined && source.choices.length > 0 && <Choices connection={connection} offered={source.choices} />}
        {!has_signing_secret && (
          <Alert color="yellow" title={t.enterSecret}>
            <Stack gap="xs">
              <Text size="sm">{t.noSecret}</Text>
              <Code block tabIndex={0} aria-label={t.events}>
                {webhook_event_types.join('\n')}
              </Code>
            </Stack>
          </Alert>
        )}
        <Group>
          {source?.makes_secret ? (
            <ConfirmedButton
              action={t.newSecret}
              subject={name}
              size="sm"
              consequence={t.newSecretConsequence}
              mutation={rotate}
              run={async () => {
                const { signing_secret } = await rotate.mutateAsync({ id, rotate_signing_secret: true });
                if (signing_secret !== undefined) onSecret({ name, secret: signing_secret });
              }}
            />
          ) : (
            <DialogButton action={t.enterSecret}>{(close) => <SecretForm id={id} onClose={close} />}</DialogButton>
          )}
          {source !== undefined && source.fields.length > 0 && <RenewKey connection={connection} source={source} />}
          <ConfirmedButton
            action={t.disconnect}
            subject={name}
            size="sm"
            dangerous
            consequence={t.disconnectConsequence}
            mutation={remove}
            run={() => remove.mutateAsync({ id })}
          />
        </Group>
      </Stack>
    </Paper>
  );
}

/** The merchant's decisions about what earns, each of which is stored when it is made. */
function Choices({ connection, offered }: { connection: Listed; offered: Source['choices'] }) {
  const { id, choices } = connection;
  const change = useMutation(trpc.connections.update.mutationOptions());
  return (
    <Group role="group" aria-label={t.choices} align="flex-end">
      {offered.map(({ name, options }) => (
        <Select
          key={name}
          label={CHOICE_LABELS[name] ?? name}
          data={options.map((value) => ({ value, label: OPTION_LABELS[value] ?? value }))}
          value={choices[name] ?? null}
          allowDeselect={false}
          disabled={change.isPending}
          onChange={(value) => value !== null && change.mutate({ id, choices: { [name]: value } })}
        />
      ))}
      {change.error !== null && <Failure error={change.error} />}
    </Group>
  );
}

/** Stores the signing secret of an endpoint that the merchant has created. */
function SecretForm({ id, onClose }: { id: string; onClose: () => void }) {
  const form = useForm({ initialValues: { webhook_secret: '' } });
  const save = useMutation(
    trpc.connections.update.mutationOptions({ gcTime: 0, onError: showFieldErrors(form), onSuccess: onClose }),
  );
  return (
    <FormDialog
      title={t.enterSecret}
      submit={t.save}
      size="md"
      progress={save}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => save.mutate({ id, ...values }))}
    >
      <PasswordInput
        label={t.signingSecret}
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('webhook_secret')}
      />
    </FormDialog>
  );
}

/** Replaces the key of a connection, e.g. before it expires. */
function RenewKey({ connection: { id }, source }: { connection: Listed; source: Source }) {
  return <DialogButton action={t.newKey}>{(close) => <KeyForm id={id} source={source} onClose={close} />}</DialogButton>;
}

function KeyForm({ id, source: { source, fields }, onClose }: { id: string; source: Source; onClose: () => void }) {
  const form = useForm<Record<string, string>>({ initialValues: {} });
  const renew = useMutation(
    trpc.connections.renewKey.mutationOptions({ gcTime: 0, onError: showFieldErrors(form), onSuccess: onClose }),
  );
  return (
    <FormDialog
      title={t.newKey}
      submit={t.save}
      size="md"
      progress={renew}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => renew.mutate({ id, credentials: credentialsIn(fields, values) }))}
    >
      <Text size="sm">{t.newKeyHint}</Text>
      <FieldsOf kind={source} fields={fields} form={form} />
    </FormDialog>
  );
}

/** The fields of the credentials of a source. */
function FieldsOf({ kind, fields, form }: Pick<ComponentProps<typeof CredentialFields>, 'kind' | 'fields' | 'form'>) {
  return (
    <CredentialFields kind={kind} fields={fields} form={form} labelOf={(name) => FIELD_LABELS[`${kind}.${name}`] ?? t.apiKey} />
  );
}

/** Connects a source. The source describes its fields. */
function AddDialog({
  sources,
  onClose,
  onSecret,
}: {
  sources: readonly Source[];
  onClose: () => void;
  onSecret: (made: Made) => void;
}) {
  const [chosen, choose] = useState<Source>(sources.find(({ source }) => source !== 'stripe') ?? sources[0]!);
  const form = useForm<Record<string, string>>({ initialValues: {} });
  const connect = useMutation(
    trpc.connections.create.mutationOptions({
      gcTime: 0,
      onError: showFieldErrors(form),
      onSuccess: ({ signing_secret }) => {
        if (signing_secret !== undefined) onSecret({ name: nameOf(chosen), secret: signing_secret });
        onClose();
      },
    }),
  );
  const { source, fields } = chosen;
  const send = (values: Record<string, string>) => {
    connect.mutate({ source, ...(fields.length > 0 && { credentials: credentialsIn(fields, values) }) });
  };
  return (
    <FormDialog title={t.add} submit={t.connect} size="md" progress={connect} onClose={onClose} onSubmit={form.onSubmit(send)}>
      <Select
        label={t.provider}
        data={sources.map((each) => ({ value: each.source, label: nameOf(each) }))}
        value={source}
        allowDeselect={false}
        onChange={(kind) => choose(sources.find((each) => each.source === kind) ?? chosen)}
      />
      <Text size="sm">{HINTS[source] ?? t.otherHint}</Text>
      <FieldsOf kind={source} fields={fields} form={form} />
    </FormDialog>
  );
}
