import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { Panel } from '../components/panel.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { t } from '../texts/portal-pages.ts';
import { SignInAgain } from './sign-in-again.tsx';

/** The key with which a program of the affiliate reads what the portal shows. */
export function OwnKeyPanel({ current }: { current: Outputs['portal']['getProfile']['key'] }) {
  // The secret is dropped from the cache as soon as the dialog closes.
  const create = useMutation(trpc.portal.createKey.mutationOptions({ gcTime: 0 }));
  const remove = useMutation(trpc.portal.removeKey.mutationOptions());
  return (
    <Panel title={t.ownKey}>
      <Stack gap="sm">
        <Text>{t.ownKeyExplained}</Text>
        {current !== null && (
          <Text>
            <Filled
              text={t.ownKeyUntil}
              values={{ created: <Moment at={current.created_at} />, expires: <Moment at={current.expires_at} /> }}
            />
          </Text>
        )}
        {create.isError && <SignInAgain error={create.error} />}
        <Group>
          <Button variant="default" size="compact-sm" loading={create.isPending} onClick={() => create.mutate({})}>
            {current === null ? t.createKey : t.replaceKey}
          </Button>
          {current !== null && (
            <ConfirmedButton
              action={t.revoke}
              subject={t.ownKey}
              dangerous
              consequence={t.removeKeyConsequence}
              mutation={remove}
              run={() => remove.mutateAsync({})}
            />
          )}
        </Group>
      </Stack>
      {create.data && (
        <SecretDialog title={t.ownKey} label={t.ownKey} secret={create.data.token} hint={t.ownKeyHint} onClose={create.reset} />
      )}
    </Panel>
  );
}
