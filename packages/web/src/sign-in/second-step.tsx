import { useState } from 'react';
import { auth } from '../api/auth.ts';
import { t } from '../texts/sign-in.ts';
import { Field, Frame, Problem } from './form.tsx';
import { useSubmission, valuesOf } from './submission.ts';

/**
 * Asks for a code from the authenticator app or for a recovery code. A cookie proves to the service that the password was entered or a link
 * was followed.
 */
export function SecondStep({ onDone }: { onDone: () => void }) {
  const [byRecoveryCode, setByRecoveryCode] = useState(false);
  const verify = useSubmission(byRecoveryCode ? auth.verifyRecoveryCode : auth.verifyCode, onDone);
  return (
    <Frame title={t.enterCode}>
      <form
        key={byRecoveryCode ? 'recovery' : 'app'}
        onSubmit={(event) => {
          const { code = '', trust } = valuesOf(event);
          verify.submit({ code: code.replaceAll(/\s/g, ''), trustDevice: trust !== undefined });
        }}
      >
        {byRecoveryCode ? (
          <Field label={t.recoveryCode} description={t.recoveryCodeHint} name="code" autoComplete="off" autoFocus />
        ) : (
          <Field
            label={t.code}
            description={t.codeHint}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            autoFocus
          />
        )}
        <label className="choice">
          <input type="checkbox" name="trust" /> {t.trustBrowser}
        </label>
        <Problem text={verify.error} />
        <button type="submit" className="primary" aria-disabled={verify.isPending}>
          {t.verify}
        </button>
        <button type="button" onClick={() => setByRecoveryCode(!byRecoveryCode)}>
          {byRecoveryCode ? t.useApp : t.useRecoveryCode}
        </button>
        <a href="/sign-in">{t.startAgain}</a>
      </form>
    </Frame>
  );
}
