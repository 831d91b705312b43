import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { auth } from '../api/auth.ts';
import { type Outputs, trpc } from '../api/client.ts';
import { serviceErrorOf } from '../api/service-error.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Failure } from '../components/failure.tsx';
import { Moment } from '../components/moment.tsx';
import { Page } from '../components/page.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { PortalData } from './portal-data.tsx';

export function PayoutDetailsPage() {
  const details = useQuery(trpc.portal.getPayoutDetails.queryOptions());
  return <PortalData query={details}>{(data) => <LoadedDetails details={data} />}</PortalData>;
}

function LoadedDetails({ details }: { details: Outputs['portal']['getPayoutDetails'] }) {
  const form = useForm({
    initialValues: { walleta_email: details.walleta_email ?? '', walletb_email: details.walletb_email ?? '' },
  });
  const save = useMutation(trpc.portal.updatePayoutDetails.mutationOptions({ onError: showFieldErrors(form) }));
  return (
    <Page title="Payout details" description="Where the merchant sends your money. Enter at least one address.">
      {details.payouts_held_until !== null && new Date(details.payouts_held_until) > new Date() && (
        <Alert color="yellow" role="status" title="Payouts wait">
          Your payout details have changed. Payouts wait until <Moment at={details.payouts_held_until} />, in case it was not you.
        </Alert>
      )}
      <form
        onSubmit={form.onSubmit(({ walleta_email, walletb_email }) =>
          save.mutate({ walleta_email: walleta_email.trim() || null, walletb_email: walletb_email.trim() || null }),
        )}
      >
        <Stack maw={400}>
          <TextInput label="PayPal e-mail" type="email" autoComplete="email" {...form.getInputProps('walleta_email')} />
          <TextInput label="Wise e-mail" type="email" autoComplete="email" {...form.getInputProps('walletb_email')} />
          <Text size="sm" c="dimmed">
            You, and the former address, get an e-mail about the change.
          </Text>
          <SaveRow save={save} refusal={<Refusal error={save.error} />} saysSaved />
        </Stack>
      </form>
    </Page>
  );
}

/** Payout details can be changed shortly after signing in only. */
function Refusal({ error }: { error: unknown }) {
  const again = useMutation({ mutationFn: auth.signOut, onSuccess: () => window.location.assign('/sign-in?to=portal') });
  return (
    <>
      <Failure error={error} />
      {serviceErrorOf(error).code === 'FORBIDDEN' && (
        <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          Sign in again
        </Button>
      )}
    </>
  );
}
