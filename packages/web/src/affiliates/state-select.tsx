import { AFFILIATE_STATES } from '@affiliate/core/browser';
import { Group, NativeSelect, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../api/client.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { labelOf, optionsOf } from '../components/labels.ts';
import { notify, notifyFailure } from '../components/notices.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/affiliates.ts';
import type { Affiliate } from './affiliate.ts';

const MEANINGS: Record<Affiliate['state'], string> = {
  pending: t.meaningOfPending,
  active: t.meaningOfActive,
  disabled: t.meaningOfDisabled,
  suspicious: t.meaningOfSuspicious,
  rejected: t.meaningOfRejected,
};

/** Button labels of the states that stop tracking and earning. Changing to one of these states must be confirmed. */
const ACTIONS = { disabled: t.disable, suspicious: t.flag, rejected: t.reject };

/** Offers every state, because an affiliate can move from any state to any other. */
export function StateSelect({ affiliate }: { affiliate: Affiliate }) {
  const { id, state } = affiliate;
  const update = useMutation(
    trpc.affiliates.update.mutationOptions({
      onSuccess: (changed) => notify(t.stateChanged({ changed: nameOf(changed), state: labelOf(changed.state) })),
    }),
  );
  const may = useMay();
  const [requested, ask] = useState<keyof typeof ACTIONS | null>(null);
  const choose = (chosen: Affiliate['state']) => {
    if (chosen === 'pending' || chosen === 'active') update.mutate({ id, state: chosen }, { onError: notifyFailure });
    else ask(chosen);
  };
  if (!may('affiliates'))
    return (
      <div>
        <StateBadge state={state} />
        <Text size="sm">{MEANINGS[state]}</Text>
      </div>
    );
  return (
    <Group>
      <NativeSelect
        label={t.state}
        description={MEANINGS[state]}
        value={state}
        disabled={update.isPending}
        data={optionsOf(AFFILIATE_STATES)}
        onChange={(event) => choose(event.currentTarget.value as Affiliate['state'])}
      />
      {requested && (
        <FormDialog
          title={`${ACTIONS[requested]}: ${nameOf(affiliate)}`}
          submit={ACTIONS[requested]}
          size="md"
          dangerous
          progress={update}
          onClose={() => ask(null)}
          onSubmit={(event) => {
            event.preventDefault();
            update.mutate({ id, state: requested }, { onSuccess: () => ask(null) });
          }}
        >
          <Text>{t.stateCanChangeAgain({ requested: MEANINGS[requested] })}</Text>
        </FormDialog>
      )}
    </Group>
  );
}
