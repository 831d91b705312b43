import { AFFILIATE_STATES } from '@affiliate/core/browser';
import { Button, Checkbox, NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { optionsOf } from '../components/labels.ts';
import { BulkButton, useBulk } from '../lists/bulk.tsx';
import type { Selection } from '../lists/selection.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/affiliates.ts';
import { t as counts } from '../texts/counts.ts';
import type { Affiliate } from './affiliate.ts';

interface BulkActionsProps {
  selection: Selection<Affiliate>;
  campaigns: { value: string; label: string }[];
}

/** Controls to change the state or the campaign of all selected affiliates, and to invite them to the portal. */
export function BulkActions({ selection, campaigns }: BulkActionsProps) {
  const may = useMay();
  const [asking, ask] = useState<'state' | 'campaign' | null>(null);
  const close = () => ask(null);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => ask('state')}>
        {t.setState}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => ask('campaign')}>
        {t.moveToCampaign}
      </Button>
      {may('invitations') && (
        <BulkButton
          action={t.inviteByEmail}
          selection={selection}
          change={({ email, campaign_id }) => client.invitations.create.mutate({ kind: 'affiliate', email, campaign_id })}
        />
      )}
      {asking === 'state' && <SetState selection={selection} onClose={close} />}
      {asking === 'campaign' && <MoveToCampaign selection={selection} campaigns={campaigns} onClose={close} />}
    </>
  );
}

function SetState({ selection, onClose }: { selection: Selection<Affiliate>; onClose: () => void }) {
  const form = useForm<{ state: (typeof AFFILIATE_STATES)[number] }>({ initialValues: { state: 'active' } });
  const bulk = useBulk(selection, ({ id }) => client.affiliates.update.mutate({ id, state: form.values.state }));
  return (
    <FormDialog
      title={t.setStateOf({ affiliates: counts.affiliates(selection.chosen.length) })}
      submit={t.save}
      size="md"
      progress={bulk}
      onClose={onClose}
      onSubmit={form.onSubmit(() => bulk.mutate(undefined, { onSuccess: onClose }))}
    >
      <Text>{t.onlyActiveOnesEarn}</Text>
      <NativeSelect label={t.state} data={optionsOf(AFFILIATE_STATES)} data-autofocus {...form.getInputProps('state')} />
    </FormDialog>
  );
}

function MoveToCampaign({ selection, campaigns, onClose }: BulkActionsProps & { onClose: () => void }) {
  const form = useForm({ initialValues: { campaign_id: campaigns[0]?.value ?? '', move_links: true } });
  const bulk = useBulk(selection, ({ id }) => client.affiliates.update.mutate({ id, ...form.values }));
  return (
    <FormDialog
      title={t.moveOf({ affiliates: counts.affiliates(selection.chosen.length) })}
      submit={t.moveToCampaign}
      size="md"
      disabled={campaigns.length === 0}
      progress={bulk}
      onClose={onClose}
      onSubmit={form.onSubmit(() => bulk.mutate(undefined, { onSuccess: onClose }))}
    >
      <NativeSelect label={t.campaign} data={campaigns} data-autofocus {...form.getInputProps('campaign_id')} />
      <Checkbox label={t.moveLinksAndCodes} {...form.getInputProps('move_links', { type: 'checkbox' })} />
    </FormDialog>
  );
}
