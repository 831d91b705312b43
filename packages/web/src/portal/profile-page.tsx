import { Anchor, Button, Checkbox, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { auth } from '../api/auth.ts';
import { type Outputs, trpc } from '../api/client.ts';
import { isEmbedded } from '../api/portal-token.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { NameFields } from '../components/name-fields.tsx';
import { Page } from '../components/page.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { LanguageSelect } from '../profile/language-select.tsx';
import { SignOutButton } from '../session/sign-out-button.tsx';
import { t } from '../texts/portal-pages.ts';
import { t as common } from '../texts/portal.ts';
import { ChangeEmail } from './change-email.tsx';
import { leave } from './leave.ts';
import { OwnData } from './own-data.tsx';
import { OwnKeyPanel } from './own-key-panel.tsx';
import { PortalData } from './portal-data.tsx';
import { usePortalPerson } from './portal-session.tsx';
import { SignInToChange } from './sign-in-again.tsx';
import { TermsText } from './terms.tsx';

const DIGEST_CHOICES = [
  { value: 'each', label: t.digestEach },
  { value: 'daily', label: t.digestDaily },
  { value: 'weekly', label: t.digestWeekly },
  { value: 'none', label: t.none },
];

export function ProfilePage() {
  const profile = useQuery(trpc.portal.getProfile.queryOptions());
  return <PortalData query={profile}>{(data) => <LoadedProfile profile={data} />}</PortalData>;
}

function LoadedProfile({ profile }: { profile: Outputs['portal']['getProfile'] }) {
  const { isMember, isOpened, isView, mayChange, affiliation } = usePortalPerson();
  const form = useForm({
    initialValues: {
      first_name: profile.first_name ?? '',
      last_name: profile.last_name ?? '',
      billing_details: profile.billing_details ?? '',
      digest: profile.digest,
      gets_emails: profile.gets_emails,
    },
  });
  const save = useMutation(trpc.portal.updateProfile.mutationOptions({ onError: showFieldErrors(form) }));
  const elsewhere = useMutation({ mutationFn: auth.signOutElsewhere });
  return (
    <Page title={common.profile} description={profile.email}>
      <Text>
        <Filled text={t.since} values={{ account: affiliation.account_name, date: <Moment at={profile.joined_at} /> }} />
      </Text>
      {mayChange && (
        <form
          aria-label={common.profile}
          onSubmit={form.onSubmit(({ first_name, last_name, billing_details, digest, gets_emails }) =>
            save.mutate({
              first_name: first_name.trim() || null,
              last_name: last_name.trim() || null,
              billing_details: billing_details.trim() || null,
              digest,
              gets_emails,
            }),
          )}
        >
          <Stack maw={400}>
            <NameFields form={form} />
            <Textarea
              label={t.billingDetails}
              description={t.billingDetailsExplained}
              rows={4}
              maxLength={1_000}
              {...form.getInputProps('billing_details')}
            />
            <Checkbox
              label={t.emailsOfProgram}
              description={t.emailsOfProgramExplained}
              {...form.getInputProps('gets_emails', { type: 'checkbox' })}
            />
            {form.values.gets_emails && <NativeSelect label={t.digest} data={DIGEST_CHOICES} {...form.getInputProps('digest')} />}
            <SaveRow save={save} saysSaved />
          </Stack>
        </form>
      )}
      {!isOpened && (
        <Stack maw={400}>
          <LanguageSelect />
        </Stack>
      )}
      {profile.accepted_terms !== null && <AcceptedTerms terms={profile.accepted_terms} />}
      {mayChange && <OwnKeyPanel current={profile.key} />}
      {mayChange && <ChangeEmail change={profile.email_change} />}
      {!mayChange && !isView && <SignInToChange />}
      {isEmbedded() ? null : isOpened ? (
        <Group>
          <Button variant="default" size="compact-sm" onClick={leave}>
            {t.closePortal}
          </Button>
        </Group>
      ) : (
        <Group>
          <SignOutButton />
          <Button variant="default" size="compact-sm" loading={elsewhere.isPending} onClick={() => elsewhere.mutate()}>
            {t.signOutElsewhere}
          </Button>
        </Group>
      )}
      {elsewhere.isSuccess && <Text role="status">{t.signedOutElsewhere}</Text>}
      {elsewhere.isError && <Failure error={elsewhere.error} />}
      {mayChange && <OwnData account={affiliation.account_name} />}
      {isMember && (
        <Anchor href="/" size="sm">
          {t.teamPages}
        </Anchor>
      )}
    </Page>
  );
}

/** The terms that the affiliate has accepted, to read again. */
function AcceptedTerms({ terms }: { terms: NonNullable<Outputs['portal']['getProfile']['accepted_terms']> }) {
  return (
    <div>
      <Text>
        <Filled text={t.acceptedTerms} values={{ version: terms.version, date: <Moment at={terms.accepted_at} /> }} />
      </Text>
      <TermsText terms={terms} />
    </div>
  );
}
