import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { auth } from '../api/auth.ts';
import { trpc } from '../api/client.ts';
import { t } from '../texts/consent.ts';

/** Shows who is signed in, with a button to sign in as somebody else. The request in the URL is kept. */
export function SignedInAs({ email }: { email: string }) {
  const queryClient = useQueryClient();
  const signOut = useMutation({
    mutationFn: auth.signOut,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.session.get.queryKey() }),
  });
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed">
        {t.signedInAs({ email })}
      </Text>
      <Button variant="subtle" size="compact-sm" loading={signOut.isPending} onClick={() => signOut.mutate()}>
        {t.switchUser}
      </Button>
    </Group>
  );
}
