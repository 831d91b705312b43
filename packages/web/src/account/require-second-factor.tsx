import { Anchor, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { notify } from '../components/notices.tsx';
import { Panel } from '../components/panel.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/required-factor.ts';

const DAYS = [0, 3, 7, 14, 30];

/** A setting for owners: whether all members must have a second factor. */
export function RequireSecondFactorPanel() {
  const { user, account } = useMember();
  const queryClient = useQueryClient();
  const [days, setDays] = useState('7');
  const since = account.second_factor_required_from;
  const change = useMutation(
    trpc.account.requireSecondFactor.mutationOptions({
      onSuccess: (session, { required }) => {
        queryClient.setQueryData(trpc.session.get.queryKey(), session);
        notify(required ? t.isRequired : t.isVoluntary);
      },
    }),
  );
  const from = <Moment at={since} />;
  return (
    <Panel title={t.ofAllMembers}>
      <Stack>
        {since === null ? (
          <Text size="sm">{t.hint}</Text>
        ) : (
          <Text size="sm">
            <Filled text={Date.parse(since) > Date.now() ? t.closesOn : t.requiredSince} values={{ date: from }} />
          </Text>
        )}
        {since === null && user.has_second_factor && (
          <NativeSelect
            label={t.when}
            value={days}
            onChange={({ currentTarget: { value } }) => setDays(value)}
            data={DAYS.map((number) => ({ value: String(number), label: number === 0 ? t.atOnce : t.daysLater(number) }))}
          />
        )}
        {change.isError && <Failure error={change.error} />}
        {since === null && !user.has_second_factor ? (
          <Text size="sm">
            {t.ownFirst}{' '}
            <Anchor component={Link} to="/settings/profile" underline="always">
              {t.profile}
            </Anchor>
          </Text>
        ) : (
          <Group>
            <Button
              variant="default"
              loading={change.isPending}
              onClick={() => change.mutate({ account_id: account.id, required: since === null, after_days: Number(days) })}
            >
              {since === null ? t.require : t.stop}
            </Button>
          </Group>
        )}
      </Stack>
    </Panel>
  );
}
