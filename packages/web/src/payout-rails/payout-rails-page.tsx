import { Alert, Group, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Branded } from '../components/cells.tsx';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { CredentialFields, credentialsIn } from '../components/credential-fields.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { useMember } from '../session/session.tsx';
import { FIELD_LABELS, HINTS, t } from '../texts/payout-rails.ts';
import { MethodTerms } from './method-terms.tsx';
import { ScreeningSetting } from './screening.tsx';
import { SendingRules } from './sending-rules.tsx';

type Rail = Outputs['payoutRails']['list']['data'][number];
type Kind = Outputs['payoutRails']['kinds']['data'][number];

const LIMIT = 100;

export function PayoutRailsPage() {
  const { account } = useMember();
  const kinds = useQuery(trpc.payoutRails.kinds.queryOptions({}));
  const rails = useQuery(trpc.payoutRails.list.queryOptions({ limit: LIMIT }));
  return (
    <Page title={t.payoutMethods} description={t.description}>
      <Section title={t.services}>
        <Loaded query={kinds}>
          {({ data: offered }) => (
            <Stack>
              <Loaded query={rails}>
                {({ data }) => (
                  <>
                    {data.map((rail) => (
                      <ConnectedRail key={rail.id} rail={rail} kind={offered.find(({ kind }) => kind === rail.kind)} />
                    ))}
                    {data.length === 0 && <Text>{t.none}</Text>}
                  </>
                )}
              </Loaded>
              <Group>
                <DialogButton action={t.add}>{(close) => <ConnectDialog kinds={offered} onClose={close} />}</DialogButton>
              </Group>
            </Stack>
          )}
        </Loaded>
      </Section>
      <MethodTerms />
      {account.livemode && <SendingRules />}
      <ScreeningSetting />
    </Page>
  );
}

function ConnectedRail({ rail, kind }: { rail: Rail; kind: Kind | undefined }) {
  const name = kind?.name ?? rail.kind;
  const { id, livemode, provider_account_id, has_endpoint, problem } = rail;
  const remove = useMutation(trpc.payoutRails.remove.mutationOptions());
  const resume = useMutation(trpc.payoutRails.resume.mutationOptions());
  return (
    <Paper withBorder p="lg" radius="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} size="h5">
            <Branded kind={rail.kind} name={name} />
          </Title>
          <StateBadge state={livemode ? 'live_mode' : 'test_mode'} />
        </Group>
        <Text style={{ overflowWrap: 'anywhere' }}>{t.account({ id: provider_account_id })}</Text>
        {problem !== null && (
          <Alert color="red" title={t.problem}>
            {problem}
          </Alert>
        )}
        {!has_endpoint && kind?.sends && <Text size="sm">{t.noEndpoint}</Text>}
        <Group>
          {problem !== null && (
            <ConfirmedButton
              action={t.resume}
              subject={name}
              size="sm"
              consequence={t.resumeConsequence}
              mutation={resume}
              run={() => resume.mutateAsync({ id })}
            />
          )}
          <ConfirmedButton
            action={t.disconnect}
            subject={name}
            size="sm"
            dangerous
            consequence={t.removeConsequence}
            mutation={remove}
            run={() => remove.mutateAsync({ id })}
          />
        </Group>
      </Stack>
    </Paper>
  );
}

/** Connects an account at a service. The service describes its fields. */
function ConnectDialog({ kinds, onClose }: { kinds: readonly Kind[]; onClose: () => void }) {
  const [chosen, choose] = useState(kinds[0]!);
  const form = useForm<Record<string, string>>({ initialValues: {} });
  const connect = useMutation(
    trpc.payoutRails.create.mutationOptions({ gcTime: 0, onError: showFieldErrors(form, 'credentials'), onSuccess: onClose }),
  );
  const { kind, fields } = chosen;
  const send = (values: Record<string, string>) => connect.mutate({ kind, credentials: credentialsIn(fields, values) });
  return (
    <FormDialog title={t.add} submit={t.connect} size="md" progress={connect} onClose={onClose} onSubmit={form.onSubmit(send)}>
      <Select
        label={t.service}
        data={kinds.map((each) => ({ value: each.kind, label: each.name }))}
        value={kind}
        allowDeselect={false}
        onChange={(value) => choose(kinds.find((each) => each.kind === value) ?? chosen)}
      />
      <Text size="sm">{HINTS[kind] ?? t.live}</Text>
      <CredentialFields kind={kind} fields={fields} form={form} labelOf={(name) => FIELD_LABELS[`${kind}.${name}`] ?? name} />
    </FormDialog>
  );
}
