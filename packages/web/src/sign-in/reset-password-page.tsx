import { auth } from '../api/auth.ts';
import { useMailedToken } from '../session/mailed-token.ts';
import { t } from '../texts/sign-in.ts';
import { Frame, Problem } from './form.tsx';
import { PasswordField } from './password-field.tsx';
import { useSubmission, valuesOf } from './submission.ts';

export function ResetPasswordPage() {
  const token = useMailedToken();
  const reset = useSubmission(auth.resetPassword);
  return (
    <Frame title={t.setNewPassword}>
      {reset.isDone ? (
        <div className="stack">
          <p role="status">{t.passwordChanged}</p>
          <a href="/sign-in" className="button primary">
            {t.signIn}
          </a>
        </div>
      ) : (
        <form
          onSubmit={(event) => {
            const { newPassword = '' } = valuesOf(event);
            reset.submit({ token, newPassword });
          }}
        >
          <PasswordField
            label={t.newPassword}
            description={t.passwordLength}
            name="newPassword"
            autoComplete="new-password"
            minLength={8}
            maxLength={128}
          />
          <Problem text={reset.error} />
          <button type="submit" className="primary" aria-disabled={reset.isPending}>
            {t.changePassword}
          </button>
          <a href="/forgot-password">{t.requestNewLink}</a>
        </form>
      )}
    </Frame>
  );
}
