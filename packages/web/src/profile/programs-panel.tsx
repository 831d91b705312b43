import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { NewProgram } from '../account/new-program.tsx';
import { trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { labelOf } from '../components/labels.ts';
import { Panel } from '../components/panel.tsx';
import { useMember, useSession } from '../session/session.tsx';
import { t } from '../texts/programs.ts';

/** Lists the programs of the signed-in person: to switch to another one, to leave the one that is shown, and to create a new one. */
export function ProgramsPanel() {
  const { account } = useMember();
  const programs = useSession()?.accounts ?? [];
  const show = useMutation(trpc.session.switchAccount.mutationOptions({ onSuccess: () => window.location.assign('/') }));
  return (
    <Panel title={t.yourPrograms}>
      <Stack>
        {programs.map(({ id, name, role, is_example }) => (
          <Group key={id} justify="space-between">
            <Group gap="xs">
              <Text fw={id === account.id ? 600 : undefined}>{name}</Text>
              <Badge variant="default">{labelOf(role)}</Badge>
              {is_example && <Badge variant="default">{t.example}</Badge>}
            </Group>
            {id === account.id ? (
              <Leave id={id} name={name} />
            ) : (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t.showOf({ name })}
                loading={show.isPending}
                onClick={() => show.mutate({ account_id: id })}
              >
                {t.show}
              </Button>
            )}
          </Group>
        ))}
        {programs.some(({ role }) => role === 'owner') && (
          <Group>
            <DialogButton action={t.newProgram}>{(close) => <NewProgram onClose={close} />}</DialogButton>
          </Group>
        )}
      </Stack>
    </Panel>
  );
}

function Leave({ id, name }: { id: string; name: string }) {
  const leave = useMutation(trpc.account.leave.mutationOptions());
  return (
    <ConfirmedButton
      action={t.leave}
      subject={name}
      consequence={t.leaveConsequence}
      mutation={leave}
      dangerous
      run={async () => {
        await leave.mutateAsync({ account_id: id });
        window.location.assign('/');
      }}
    />
  );
}
