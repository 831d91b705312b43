import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { auth } from '../api/auth.ts';
import { isPortalHost } from '../api/portal-host.ts';
import { serviceErrorOf } from '../api/service-error.ts';
import { Failure } from '../components/failure.tsx';
import { t } from '../texts/portal-pages.ts';
import { leave } from './leave.ts';

/** Shows why a change was refused. If the change requires a recent sign-in, also shows a button to sign in again. */
export function SignInAgain({ error }: { error: unknown }) {
  const again = useMutation({
    mutationFn: async () => (isPortalHost() ? leave() : auth.signOut()),
    onSuccess: () => isPortalHost() || window.location.assign('/sign-in?to=portal'),
  });
  return (
    <>
      <Failure error={error} />
      {serviceErrorOf(error).code === 'FORBIDDEN' && (
        <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          {t.signInAgain}
        </Button>
      )}
    </>
  );
}
