import { Button, Checkbox, Group, List, NativeSelect, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type RequestingAssistant, type Decision, auth } from '../api/auth.ts';
import { Failure } from '../components/failure.tsx';

interface ConsentFormProps {
  assistant: RequestingAssistant;
  /** Accounts in which the user can connect assistants; at least one. */
  accounts: { id: string; name: string }[];
  initialAccountId: string;
  oauthQuery: string;
}

/** Shows who requests which access, and redirects the user back to the assistant with the decision. */
export function ConsentForm({ assistant, accounts, initialAccountId, oauthQuery }: ConsentFormProps) {
  const { client_name, redirect_host, redirects_to_own_machine } = assistant;
  const form = useForm({ initialValues: { account_id: initialAccountId, allow_promo_code_management: false } });
  const decide = useMutation({
    mutationFn: (decision: Decision) => auth.decideConsent({ ...decision, oauth_query: oauthQuery }),
    onSuccess: ({ redirect_to }) => window.location.assign(redirect_to),
  });
  // Stays busy until the browser has left for the assistant.
  const isBusy = decide.isPending || decide.isSuccess;

  return (
    <form onSubmit={form.onSubmit((choice) => decide.mutate({ accept: true, ...choice }))}>
      <Stack>
        <Text>
          <b>{client_name}</b> requests access to your affiliate program. You will be redirected to{' '}
          <b>{redirects_to_own_machine ? `a program on this computer (${redirect_host})` : redirect_host}</b>.
        </Text>
        <Text size="sm">The name is not verified. Allow access only if you just asked your assistant to connect.</Text>
        {accounts.length === 1 ? (
          <Text>
            Account: <b>{accounts[0]!.name}</b>
          </Text>
        ) : (
          <NativeSelect
            label="Account"
            data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.getInputProps('account_id')}
          />
        )}
        <div>
          <Text fw={500}>The assistant will be able to</Text>
          <List size="sm" mt={4}>
            <List.Item>
              Read affiliates with their e-mail addresses, campaigns, links, referrals, customers, sales, and invitations
            </List.Item>
            <List.Item>Read commissions, payouts, exports, and payout runs</List.Item>
          </List>
          <Text size="sm" mt={4}>
            It cannot change anything except what you allow below, and cannot access API keys or settings.
          </Text>
        </div>
        <Checkbox
          label="Allow promo code management"
          description="The assistant can also list, import, create, and stop promo codes."
          {...form.getInputProps('allow_promo_code_management', { type: 'checkbox' })}
        />
        <Text size="sm">You can revoke access at any time under Settings, Connectors.</Text>
        {decide.isError && <Failure error={decide.error} />}
        <Group grow>
          <Button variant="default" disabled={isBusy} onClick={() => decide.mutate({ accept: false })}>
            Deny
          </Button>
          <Button type="submit" loading={isBusy}>
            Allow
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
