import { dropPortalToken, isEmbedded } from '../api/portal-token.ts';
import { isSignedOut } from '../api/service-error.ts';
import { Failure } from '../components/failure.tsx';
import { t } from '../texts/portal-pages.ts';

/** Asks the person to sign in, and shows the same page again after that. */
function signInAgain(): void {
  dropPortalToken();
  window.location.reload();
}

/** Shows why a page could not be loaded. After the end of a session, trying again would fail again, so that the person signs in instead. */
export function PortalFailure({ error, retry }: { error: unknown; retry: () => void }) {
  if (isSignedOut(error) && !isEmbedded()) return <Failure error={error} retry={signInAgain} label={t.signIn} />;
  return <Failure error={error} retry={retry} />;
}
