import { Alert, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { auth } from '../api/auth.ts';
import { isPortalHost } from '../api/portal-host.ts';
import { dropPortalToken, isEmbedded } from '../api/portal-token.ts';
import { serviceErrorOf } from '../api/service-error.ts';
import { Failure } from '../components/failure.tsx';
import { t } from '../texts/portal-pages.ts';
import { leave } from './leave.ts';

/**
 * Explains that payout details, name and address can be changed only after a sign-in, because a program of the merchant opened this portal. An embedded
 * portal leads to a new tab, because a frame on another site cannot keep a sign-in.
 */
export function SignInToChange() {
  const signIn = isPortalHost() ? '/portal' : '/sign-in?to=portal';
  return (
    <Alert color="blue" role="status" title={t.signInToChange}>
      {isEmbedded() ? (
        <Button component="a" href={signIn} target="_blank" rel="noopener" variant="default" size="compact-sm">
          {t.signIn}
        </Button>
      ) : (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            dropPortalToken();
            window.location.assign(signIn);
          }}
        >
          {t.signIn}
        </Button>
      )}
    </Alert>
  );
}

/** Shows why a change was refused. If the change requires a recent sign-in, also shows a button to sign in again. */
export function SignInAgain({ error }: { error: unknown }) {
  const again = useMutation({
    mutationFn: async () => (isPortalHost() ? leave() : auth.signOut()),
    onSuccess: () => {
      if (isPortalHost()) return;
      // Otherwise a portal that a link has opened would open again instead of the sign-in page.
      dropPortalToken();
      window.location.assign('/sign-in?to=portal');
    },
  });
  return (
    <>
      <Failure error={error} />
      {serviceErrorOf(error).code === 'FORBIDDEN' && isEmbedded() && <SignInToChange />}
      {serviceErrorOf(error).code === 'FORBIDDEN' && !isEmbedded() && (
        <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          {t.signInAgain}
        </Button>
      )}
    </>
  );
}
