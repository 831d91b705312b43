import { useState } from 'react';
import { auth, firstPage } from '../api/auth.ts';
import { useMailedToken } from '../session/mailed-token.ts';
import { t } from '../texts/en/sign-in.ts';
import { Frame, Problem } from './form.tsx';
import { SecondStep } from './second-step.tsx';
import { useSubmission } from './submission.ts';

/** Signs in with the link of an e-mail. On a click: programs that look at mail for threats open its links. */
export function SignInLinkPage() {
  const token = useMailedToken();
  const leave = async () => window.location.replace(await firstPage());
  const [needsCode, setNeedsCode] = useState(false);
  const signIn = useSubmission(auth.signInByLink, ({ twoFactorRedirect }) =>
    twoFactorRedirect ? setNeedsCode(true) : void leave(),
  );
  if (needsCode) return <SecondStep onDone={() => void leave()} />;
  return (
    <Frame title={t.signIn}>
      <div className="stack">
        <p>{t.signsInOnce}</p>
        <Problem text={signIn.error} />
        {signIn.error !== null && <a href="/sign-in">{t.requestNewLink}</a>}
        <button type="button" className="primary" disabled={signIn.isPending} onClick={() => signIn.submit({ token })}>
          {t.signIn}
        </button>
      </div>
    </Frame>
  );
}
