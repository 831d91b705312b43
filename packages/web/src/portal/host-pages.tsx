import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { trpc } from '../api/client.ts';
import { keepPortalToken } from '../api/portal-token.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Card } from '../components/card.tsx';
import { Failure } from '../components/failure.tsx';
import { Loading } from '../components/loading.tsx';
import { useMailedToken } from '../session/mailed-token.ts';
import { t } from '../texts/portal-pages.ts';
import { useBrand } from './brand.tsx';
import { leave } from './leave.ts';

const NO_BRAND = { color: null, text_color: null, logo_path: null, support_email: null };

/** Loads the brand of the account to which this host name belongs, and applies it to the page. */
function useFront() {
  const front = useQuery(trpc.portal.front.queryOptions(undefined, { staleTime: Infinity, meta: { isSessionQuery: true } }));
  const brand = front.data?.brand ?? NO_BRAND;
  useBrand(brand);
  return { front, brand: { name: front.data?.account_name ?? '', logo_path: brand.logo_path } };
}

/** The sign-in page under a merchant's own host name. Requests an email with a link that opens the portal. */
export function HostSignIn() {
  const { front, brand } = useFront();
  const form = useForm({ initialValues: { email: '' } });
  const request = useMutation(trpc.portal.requestLink.mutationOptions({ onError: showFieldErrors(form) }));
  if (front.isPending) return <Loading />;
  if (front.isError) return <Failure error={front.error} retry={() => void front.refetch()} />;
  if (request.isSuccess) {
    return (
      <Card title={t.enterTitle} brand={brand}>
        <Text role="status">{t.linkSent({ email: request.data.email, account: brand.name })}</Text>
      </Card>
    );
  }
  return (
    <Card title={t.enterTitle} brand={brand}>
      <form aria-label={t.enterTitle} onSubmit={form.onSubmit(({ email }) => request.mutate({ email: email.trim() }))}>
        <Stack>
          <Text>{t.linkByMail}</Text>
          <TextInput
            label={t.email}
            type="email"
            autoComplete="email"
            required
            withAsterisk={false}
            {...form.getInputProps('email')}
          />
          {request.isError && <Failure error={request.error} />}
          <Button type="submit" loading={request.isPending} fullWidth>
            {t.sendLink}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}

/** Shows the state of an application, using the service's message. */
export function HostStatus({ message }: { message: string }) {
  const { brand } = useFront();
  return (
    <Card title={t.enterTitle} brand={brand}>
      <Stack>
        <Text role="status">{message}</Text>
        <Button variant="default" onClick={leave}>
          {t.closePortal}
        </Button>
      </Stack>
    </Card>
  );
}

/** Opens the portal with an emailed link. Requires a click, because programs that scan emails for threats open their links. */
export function MailedLinkPage() {
  const token = useMailedToken();
  const navigate = useNavigate();
  const { front, brand } = useFront();
  const enter = useMutation(
    trpc.portal.enter.mutationOptions({
      onSuccess: (entry) => {
        keepPortalToken(entry.token);
        return navigate('/portal', { replace: true });
      },
    }),
  );
  return (
    <Card title={t.enterTitle} {...(front.isSuccess ? { brand } : {})}>
      <Stack>
        <Text>{t.linkWorksOnce}</Text>
        {enter.isError && <Failure error={enter.error} />}
        {enter.isError ? (
          <Button component="a" href="/portal" variant="default">
            {t.requestNewLink}
          </Button>
        ) : (
          <Button loading={enter.isPending} onClick={() => enter.mutate({ token })} fullWidth>
            {t.openPortal}
          </Button>
        )}
      </Stack>
    </Card>
  );
}
