import { Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { SecondFactorPanel } from '../profile/second-factor-panel.tsx';
import { t } from '../texts/required-factor.ts';
import { AccountSwitch } from './account-switch.tsx';
import { useMember } from './session.tsx';
import { SignOutButton } from './sign-out-button.tsx';

/**
 * Shown instead of an account's pages to a member who lacks the second factor that the account requires
 * (docs/rules/identity.md#required-second-factor).
 */
export function SecondFactorFirst() {
  const { user, account } = useMember();
  const profile = useQuery(trpc.profile.get.queryOptions());
  return (
    <Container component="main" size="sm" py="xl">
      <title>{`${t.setUp} · Affiliate`}</title>
      <Stack>
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {user.email}
          </Text>
          <Group gap="xs">
            <AccountSwitch />
            <SignOutButton />
          </Group>
        </Group>
        <Title order={1} size="h2">
          {t.setUp}
        </Title>
        <Text>{t.needed({ account: account.name })}</Text>
        <SecondFactorPanel />
        {/* The page does not reload by itself, because it shows the recovery codes. */}
        {profile.data?.has_second_factor === true && (
          <Group>
            <Button onClick={() => window.location.reload()}>{t.open({ account: account.name })}</Button>
          </Group>
        )}
      </Stack>
    </Container>
  );
}
