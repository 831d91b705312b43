import { Button, Checkbox, Group, List, NativeSelect, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type RequestingAssistant, type Decision, auth } from '../api/auth.ts';
import { Failure } from '../components/failure.tsx';
import { t } from '../texts/consent.ts';
import { Filled } from '../components/filled.tsx';

interface ConsentFormProps {
  assistant: RequestingAssistant;
  /** Accounts in which the user may connect assistants. There is at least one. */
  accounts: { id: string; name: string }[];
  initialAccountId: string;
  oauthQuery: string;
}

/** Asks whether an assistant may have the access that it requests. Sends the decision, and then returns the browser to the assistant. */
export function ConsentForm({ assistant, accounts, initialAccountId, oauthQuery }: ConsentFormProps) {
  const { client_name, redirect_host, redirects_to_own_machine } = assistant;
  const form = useForm({ initialValues: { account_id: initialAccountId, allow_promo_code_management: false } });
  const decide = useMutation({
    mutationFn: (decision: Decision) => auth.decideConsent({ ...decision, oauth_query: oauthQuery }),
    onSuccess: ({ redirect_to }) => window.location.assign(redirect_to),
  });
  // Stays true after the decision, until the browser has left for the assistant.
  const isBusy = decide.isPending || decide.isSuccess;

  return (
    <form onSubmit={form.onSubmit((choice) => decide.mutate({ accept: true, ...choice }))}>
      <Stack>
        <Text>
          <Filled
            text={t.requestsAccess}
            values={{
              client: <b>{client_name}</b>,
              host: <b>{redirects_to_own_machine ? t.programOnThisComputer({ redirectHost: redirect_host }) : redirect_host}</b>,
            }}
          />
        </Text>
        <Text size="sm">{t.nameNotVerified}</Text>
        {accounts.length === 1 ? (
          <Text>
            <Filled text={t.accountNamed} values={{ name: <b>{accounts[0]!.name}</b> }} />
          </Text>
        ) : (
          <NativeSelect
            label={t.account}
            data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.getInputProps('account_id')}
          />
        )}
        <div>
          <Text fw={500}>{t.willBeAbleTo}</Text>
          <List size="sm" mt={4}>
            <List.Item>{t.readAffiliatesWithTheirE}</List.Item>
            <List.Item>{t.readProgram}</List.Item>
          </List>
          <Text size="sm" mt={4}>
            {t.limits}
          </Text>
        </div>
        <Checkbox
          label={t.allowPromoCodeManagement}
          description={t.promoCodesHint}
          {...form.getInputProps('allow_promo_code_management', { type: 'checkbox' })}
        />
        <Text size="sm">{t.revokeHint}</Text>
        {decide.isError && <Failure error={decide.error} />}
        <Group grow>
          <Button variant="default" disabled={isBusy} onClick={() => decide.mutate({ accept: false })}>
            {t.deny}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t.allow}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
