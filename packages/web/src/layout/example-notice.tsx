import { Alert, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { NewProgram } from '../account/new-program.tsx';
import { trpc } from '../api/client.ts';
import { serviceErrorOf } from '../api/service-error.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { Failure } from '../components/failure.tsx';
import { useMember, useSession } from '../session/session.tsx';
import { t } from '../texts/example-notice.ts';

/** Tells owners of the example account how to start their own program or, once they have one, how to remove the example. */
export function ExampleNotice() {
  const { account, role } = useMember();
  const accounts = useSession()?.accounts ?? [];
  if (!account.is_example || role !== 'owner') return null;
  const hasProgram = accounts.some(({ is_example }) => !is_example);
  return (
    <Alert title={t.thisIsTheExample} mb="md">
      <Group justify="space-between">
        <Text size="sm">{hasProgram ? t.nothingIsYours : t.invitation}</Text>
        {hasProgram ? <RemoveExample id={account.id} name={account.name} /> : <StartOwnProgram />}
      </Group>
    </Alert>
  );
}

function StartOwnProgram() {
  const [creating, dialog] = useDisclosure();
  const start = useMutation(
    trpc.setup.startOwnProgram.mutationOptions({ onSuccess: ({ token }) => window.location.assign(`/setup#token=${token}`) }),
  );
  // The installation has a program already, so the person needs no setup link to create another one.
  const hasProgram = start.isError && serviceErrorOf(start.error).code === 'CONFLICT';
  useEffect(() => {
    if (hasProgram) dialog.open();
  }, [hasProgram, dialog]);
  return (
    <>
      <Button size="compact-sm" loading={start.isPending || start.isSuccess} onClick={() => start.mutate()}>
        {t.startYourOwnProgram}
      </Button>
      {start.isError && !hasProgram && <Failure error={start.error} />}
      {creating && (
        <NewProgram
          onClose={() => {
            dialog.close();
            start.reset();
          }}
        />
      )}
    </>
  );
}

function RemoveExample({ id, name }: { id: string; name: string }) {
  const remove = useMutation(trpc.account.removeExample.mutationOptions());
  return (
    <ConfirmedButton
      action={t.removeTheExample}
      subject={name}
      consequence={t.allOfItsRecordsAre}
      mutation={remove}
      dangerous
      run={async () => {
        await remove.mutateAsync({ account_id: id });
        // Assigning the location reloads the page, so that it keeps no data of the example.
        window.location.assign('/');
      }}
    />
  );
}
