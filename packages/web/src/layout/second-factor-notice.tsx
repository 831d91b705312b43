import { Alert, Anchor, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/required-factor.ts';

/** Warns a member without a second factor of the date from which the account requires one. */
export function SecondFactorNotice() {
  const { account } = useMember();
  return (
    <Alert color="yellow" title={t.setUp} mb="md">
      <Group justify="space-between">
        <Text size="sm">
          <Filled text={t.soon} values={{ date: <Moment at={account.second_factor_required_from} /> }} />
        </Text>
        <Anchor component={Link} to="/settings/profile" size="sm">
          {t.profile}
        </Anchor>
      </Group>
    </Alert>
  );
}
