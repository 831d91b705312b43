import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { auth } from '../api/auth.ts';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Failure } from '../components/failure.tsx';
import { Loading } from '../components/loading.tsx';
import { NameFields } from '../components/name-fields.tsx';
import { NewPasswordInput } from '../components/new-password-input.tsx';
import { signInFirst } from '../session/return-to.ts';
import { t } from '../texts/invitation.ts';
import { t as joining } from '../texts/join.ts';

interface AcceptFormProps {
  token: string;
  invitation: Outputs['invitations']['preview'];
}

const INITIAL = { first_name: '', last_name: '', link_code: '', password: '' };

/** Accepts an invitation as the signed-in user, as a new user who chooses a password, or as an affiliate, who needs no user account. */
export function AcceptForm({ token, invitation }: AcceptFormProps) {
  const { kind, email, has_user, signed_in_as } = invitation;
  const form = useForm({ mode: 'uncontrolled', initialValues: INITIAL });
  const join = useMutation(
    trpc.invitations.join.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: async ({ user_created, sign_in_token }) => {
        if (user_created) await auth.signIn({ email, password: form.getValues().password });
        if (sign_in_token !== null) await auth.signInByLink({ token: sign_in_token });
        // Assigning the location reloads the page, so that it shows the new account.
        if (kind === 'member') window.location.assign('/');
        else if (sign_in_token !== null || signed_in_as !== null) window.location.assign('/portal');
      },
    }),
  );
  const isOther = signed_in_as !== null && signed_in_as.toLowerCase() !== email.toLowerCase();
  const needsUser = kind === 'member' && !has_user;

  if (join.isSuccess && kind === 'affiliate')
    return <Accepted entering={join.data.sign_in_token !== null || signed_in_as !== null} />;
  if (kind === 'member' && has_user && signed_in_as === null) return <SignInFirst token={token} email={email} />;
  return (
    <form
      onSubmit={form.onSubmit(({ password, ...entry }) =>
        join.mutate({ token, ...filled(entry), ...(needsUser ? { password } : {}) }),
      )}
    >
      <Stack>
        {isOther && <Text>{t.otherUserSignedIn({ signedInAs: signed_in_as, email })}</Text>}
        {signed_in_as === null && <NameFields form={form} />}
        {kind === 'affiliate' && (
          <TextInput
            label={joining.linkCode}
            description={joining.linkCodeExplained}
            maxLength={64}
            autoCapitalize="none"
            spellCheck={false}
            key={form.key('link_code')}
            {...form.getInputProps('link_code')}
          />
        )}
        {needsUser && (
          <NewPasswordInput
            label={t.password}
            description={t.passwordHint}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
        )}
        {join.isError && <Failure error={join.error} />}
        <Button type="submit" loading={join.isPending} disabled={isOther}>
          {t.accept}
        </Button>
      </Stack>
    </form>
  );
}

function Accepted({ entering }: { entering: boolean }) {
  if (entering) return <Loading />;
  return (
    <Stack>
      <Text role="status">{t.affiliateAccepted}</Text>
      <Button component="a" href="/sign-in?to=portal">
        {t.signInToPortal}
      </Button>
    </Stack>
  );
}

function filled(entry: Omit<typeof INITIAL, 'password'>): Partial<typeof entry> {
  return Object.fromEntries(Object.entries(entry).filter(([, text]) => text.trim() !== ''));
}

function SignInFirst({ token, email }: { token: string; email: string }) {
  const { pathname } = useLocation();
  return (
    <Stack>
      <Text>{t.userExists({ email })}</Text>
      <Button onClick={() => signInFirst(`${pathname}#token=${encodeURIComponent(token)}`)}>{t.signIn}</Button>
    </Stack>
  );
}
