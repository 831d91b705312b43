import { Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { SecondFactorPanel } from '../profile/second-factor-panel.tsx';
import { t } from '../texts/en/required-factor.ts';
import { AccountSwitch } from './account-switch.tsx';
import { useMember } from './session.tsx';
import { SignOutButton } from './sign-out-button.tsx';

/** The only page of an account that requires a second factor, for a member who has none (docs/domain-rules.md#required-second-factor). */
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
        {/* The recovery codes are shown until the person goes on. */}
        {profile.data?.has_second_factor === true && (
          <Group>
            <Button onClick={() => window.location.reload()}>{t.open({ account: account.name })}</Button>
          </Group>
        )}
      </Stack>
    </Container>
  );
}
