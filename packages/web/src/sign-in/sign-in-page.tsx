import { useEffect, useRef, useState } from 'react';
import { auth, firstPage, isSetupNeeded, isSignedIn } from '../api/auth.ts';
import { destination, goBackSignedIn, leadsToPortal } from '../session/return-to.ts';
import { t } from '../texts/sign-in.ts';
import { Field, Frame, Problem } from './form.tsx';
import { PasswordField } from './password-field.tsx';
import { SecondStep } from './second-step.tsx';
import { useSubmission, valuesOf } from './submission.ts';

export function SignInPage() {
  const email = useRef<HTMLInputElement>(null);
  const [emailError, setEmailError] = useState<string | null>(null);
  // True if the portal opened this page after a sign-in by link, to ask only for the code.
  const [isSecondStep] = useState(() => new URLSearchParams(window.location.search).get('step') === 'code');
  const leave = async () => {
    goBackSignedIn();
    window.location.replace(isSecondStep ? await firstPage() : destination());
  };
  const [needsCode, setNeedsCode] = useState(isSecondStep);
  // Most affiliates have no password.
  const [usesPassword, setUsesPassword] = useState(() => !leadsToPortal());
  const signIn = useSubmission(auth.signIn, ({ twoFactorRedirect }) => (twoFactorRedirect ? setNeedsCode(true) : void leave()));
  const link = useSubmission(auth.requestSignInLink);

  useEffect(() => {
    // Leaves the page if the person is already signed in, e.g. in another tab, or if the service is not set up yet. Shows the form until
    // the answer is known.
    void isSignedIn().then((signedIn) => (signedIn ? leave() : undefined));
    void isSetupNeeded().then((needed) => needed && window.location.replace('/setup'));
  }, []);

  const requestLink = () => {
    const { value } = email.current!;
    const known = /^\S+@\S+$/.test(value);
    setEmailError(known ? null : t.enterEmail);
    if (known) link.submit({ email: value });
    else email.current!.focus();
  };

  if (needsCode) return <SecondStep onDone={() => void leave()} />;
  return (
    <Frame title={t.signIn}>
      <form
        onSubmit={(event) => {
          if (!usesPassword) {
            event.preventDefault();
            requestLink();
            return;
          }
          const { email: address = '', password = '' } = valuesOf(event);
          signIn.submit({ email: address, password });
        }}
      >
        <Field ref={email} label={t.email} name="email" type="email" autoComplete="username" error={emailError} />
        {usesPassword ? (
          <>
            <PasswordField label={t.password} name="password" autoComplete="current-password" />
            <Problem text={signIn.error} />
            <button type="submit" className="primary" aria-disabled={signIn.isPending}>
              {t.signIn}
            </button>
            <button type="button" aria-disabled={link.isPending} onClick={requestLink}>
              {t.sendSignInLink}
            </button>
          </>
        ) : (
          <>
            <button type="submit" className="primary" aria-disabled={link.isPending}>
              {t.sendSignInLink}
            </button>
            <button type="button" onClick={() => setUsesPassword(true)}>
              {t.usePassword}
            </button>
          </>
        )}
        {link.isDone && <p role="status">{t.linkSent}</p>}
        <Problem text={link.error} />
        {usesPassword && <a href="/forgot-password">{t.forgotPassword}</a>}
      </form>
    </Frame>
  );
}
