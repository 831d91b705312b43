import type { Role } from '@affiliate/core/browser';
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type RequestingAssistant, type Decision, auth } from '../api/auth.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { AccessFields } from '../connectors/access-fields.tsx';
import { type AccessValues, accessOf, accessValues, validateAccess } from '../connectors/access.ts';
import { t } from '../texts/consent.ts';

interface Account {
  id: string;
  name: string;
  role: Role;
  currency: string;
}

interface ConsentFormProps {
  assistant: RequestingAssistant;
  /** Accounts that the user is a member of. There is at least one. */
  accounts: Account[];
  account: Account;
  chooseAccount: (id: string) => void;
  oauthQuery: string;
}

/** Returns the access that the form shows first: what the assistant asks for, and what it may do already. */
function initialAccess({ requested_permissions, granted }: RequestingAssistant, { id, role, currency }: Account): AccessValues {
  const former = granted.find(({ account_id }) => account_id === id);
  const permissions = [...new Set([...requested_permissions, ...(former?.permissions ?? [])])];
  return accessValues({ permissions, daily_pay_limits: former?.daily_pay_limits ?? null }, role, currency);
}

/** Asks what an assistant may read, change and pay in an account. Sends the decision, and then returns the browser to the assistant. */
export function ConsentForm({ assistant, accounts, account, chooseAccount, oauthQuery }: ConsentFormProps) {
  const { client_name, verified_host, redirect_host, redirects_to_own_machine } = assistant;
  const form = useForm({ initialValues: initialAccess(assistant, account), validate: validateAccess });
  const decide = useMutation({
    mutationFn: (decision: Decision) => auth.decideConsent({ ...decision, oauth_query: oauthQuery }),
    onError: showFieldErrors(form),
    onSuccess: ({ redirect_to }) => window.location.assign(redirect_to),
  });
  // Stays true after the decision, until the browser has left for the assistant.
  const isBusy = decide.isPending || decide.isSuccess;

  return (
    <form onSubmit={form.onSubmit((values) => decide.mutate({ accept: true, account_id: account.id, ...accessOf(values) }))}>
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
        <Text size="sm">
          {verified_host === null ? t.nameNotVerified : <Filled text={t.namedByHost} values={{ host: <b>{verified_host}</b> }} />}
        </Text>
        {accounts.length === 1 ? (
          <Text>
            <Filled text={t.accountNamed} values={{ name: <b>{account.name}</b> }} />
          </Text>
        ) : (
          <NativeSelect
            label={t.account}
            data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
            value={account.id}
            onChange={({ currentTarget }) => chooseAccount(currentTarget.value)}
          />
        )}
        <Text fw={500}>{t.willBeAbleTo}</Text>
        <AccessFields form={form} role={account.role} currency={account.currency} />
        <Text size="sm">{t.limits}</Text>
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
