import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { client, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { Panel } from '../components/panel.tsx';
import { saveFile } from '../components/save-file.ts';
import { t } from '../texts/portal-pages.ts';
import { t as privacy } from '../texts/privacy.ts';
import { SignInAgain } from './sign-in-again.tsx';

/** The page is loaded again, because the affiliate may see less of it now. */
const reload = () => window.location.assign('/portal');

/** Exports what is stored about the affiliate, ends the membership, and erases the data. */
export function OwnData({ account }: { account: string }) {
  const save = useMutation({
    mutationFn: () => client.portal.exportData.mutate({}),
    onSuccess: (data) => saveFile(`${data.id}.json`, [JSON.stringify(data, null, 2)], 'application/json;charset=utf-8'),
  });
  const leave = useMutation(trpc.portal.leave.mutationOptions({ onSuccess: reload }));
  const erase = useMutation(trpc.portal.eraseData.mutationOptions({ onSuccess: reload }));
  return (
    <Panel title={t.ownData}>
      <Stack gap="sm">
        <Text>{t.ownDataExplained({ account })}</Text>
        {[save, leave, erase].map(({ error }, at) => error !== null && <SignInAgain key={at} error={error} />)}
        <Group>
          <Button variant="default" size="compact-sm" loading={save.isPending} onClick={() => save.mutate()}>
            {privacy.export}
          </Button>
          <ConfirmedButton
            action={t.leaveProgram}
            subject={account}
            dangerous
            consequence={t.leaveConsequence}
            mutation={leave}
            run={() => leave.mutateAsync({})}
          />
          <ConfirmedButton
            action={privacy.erase}
            subject={account}
            dangerous
            consequence={t.eraseConsequence}
            mutation={erase}
            run={() => erase.mutateAsync({})}
          />
        </Group>
      </Stack>
    </Panel>
  );
}
