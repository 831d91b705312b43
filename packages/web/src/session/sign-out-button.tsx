import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { auth } from '../api/auth.ts';
import { t } from '../texts/session.ts';

/** Signs the user out. Loads a new page, so that no data stays in memory. */
export function SignOutButton() {
  const signOut = useMutation({ mutationFn: auth.signOut, onSuccess: () => window.location.assign('/sign-in') });
  return (
    <Button variant="default" size="compact-sm" loading={signOut.isPending} onClick={() => signOut.mutate()}>
      {t.signOut}
    </Button>
  );
}
