import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { Page } from '../components/page.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { PayoutAddresses } from '../payout-methods/payout-addresses.tsx';
import { language } from '../texts/language.ts';
import { t } from '../texts/portal-pages.ts';
import { t as common } from '../texts/portal.ts';
import { PortalData } from './portal-data.tsx';
import { usePortalPerson } from './portal-session.tsx';
import { SignInAgain, SignInToChange } from './sign-in-again.tsx';
import { TermsFirst } from './terms-first.tsx';

export function PayoutDetailsPage() {
  return (
    <TermsFirst title={common.payoutDetails}>
      <Details />
    </TermsFirst>
  );
}

function Details() {
  const details = useQuery(trpc.portal.getPayoutDetails.queryOptions());
  return <PortalData query={details}>{(data) => <LoadedDetails details={data} />}</PortalData>;
}

function LoadedDetails({ details }: { details: Outputs['portal']['getPayoutDetails'] }) {
  const { mayChange, isView } = usePortalPerson();
  const form = useForm({
    initialValues: { walleta_email: details.walleta_email ?? '', walletb_email: details.walletb_email ?? '' },
  });
  const methods = useQuery(trpc.portal.listPayoutMethods.queryOptions());
  const termsOf = (kind: string) => methods.data?.offered.find((each) => each.kind === kind)?.terms_in_words[language];
  const save = useMutation(trpc.portal.updatePayoutDetails.mutationOptions({ onError: showFieldErrors(form) }));
  return (
    <Page title={common.payoutDetails} description={t.detailsExplained}>
      {details.payouts_held_until !== null && new Date(details.payouts_held_until) > new Date() && (
        <Alert color="yellow" role="status" title={t.payoutsWait}>
          <Filled text={t.payoutsWaitUntil} values={{ date: <Moment at={details.payouts_held_until} /> }} />
        </Alert>
      )}
      <form
        aria-label={common.payoutDetails}
        onSubmit={form.onSubmit(({ walleta_email, walletb_email }) =>
          save.mutate({ walleta_email: walleta_email.trim() || null, walletb_email: walletb_email.trim() || null }),
        )}
      >
        <Stack maw={400}>
          <TextInput
            label={t.paypal}
            description={termsOf('paypal')}
            type="email"
            autoComplete="email"
            readOnly={!mayChange}
            {...form.getInputProps('walleta_email')}
          />
          <TextInput
            label={t.wise}
            description={termsOf('wise')}
            type="email"
            autoComplete="email"
            readOnly={!mayChange}
            {...form.getInputProps('walletb_email')}
          />
          {mayChange && (
            <>
              <Text size="sm" c="dimmed">
                {t.formerAddressInformed}
              </Text>
              <SaveRow save={save} refusal={<SignInAgain error={save.error} />} saysSaved />
            </>
          )}
          {!mayChange && !isView && <SignInToChange />}
        </Stack>
      </form>
      <Accounts />
    </Page>
  );
}

/** Accounts at banks, if the merchant pays to them. */
function Accounts() {
  const { mayChange } = usePortalPerson();
  const methods = useQuery(trpc.portal.listPayoutMethods.queryOptions());
  const save = useMutation(trpc.portal.setPayoutMethod.mutationOptions({ gcTime: 0 }));
  const open = useMutation(trpc.portal.openPayoutAccount.mutationOptions({ gcTime: 0 }));
  const remove = useMutation(trpc.portal.removePayoutMethod.mutationOptions());
  return (
    <PortalData query={methods}>
      {({ data, offered }) => (
        <Stack maw={600} mt="lg">
          <PayoutAddresses
            offered={offered}
            methods={data}
            order={2}
            mayChange={mayChange}
            save={save}
            remove={remove}
            open={open}
          >
            <Text size="sm" c="dimmed">
              {t.formerAddressInformed}
            </Text>
            {save.isError && <SignInAgain error={save.error} />}
          </PayoutAddresses>
        </Stack>
      )}
    </PortalData>
  );
}
