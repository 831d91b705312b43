import { useState } from 'react';
import { auth } from '../api/auth.ts';
import { t } from '../texts/sign-in.ts';
import { Field, Frame, Problem } from './form.tsx';
import { useSubmission, valuesOf } from './submission.ts';

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const request = useSubmission(auth.requestPasswordReset);
  return (
    <Frame title={t.resetYourPassword}>
      <div className="stack">
        {request.isDone ? (
          <p role="status">{t.resetSent({ email })}</p>
        ) : (
          <form
            onSubmit={(event) => {
              valuesOf(event);
              request.submit({ email });
            }}
          >
            <Field
              label={t.email}
              name="email"
              type="email"
              autoComplete="username"
              value={email}
              onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            />
            <Problem text={request.error} />
            <button type="submit" className="primary" aria-disabled={request.isPending}>
              {t.sendResetLink}
            </button>
          </form>
        )}
        <a href="/sign-in">{t.backToSignIn}</a>
      </div>
    </Frame>
  );
}
