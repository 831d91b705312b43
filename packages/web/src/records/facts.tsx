import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shows the fields of a record that have a value. */
export function Facts({ label, facts }: { label: string; facts: [name: string, value: ReactNode][] }) {
  return (
    <Paper withBorder p="md" radius="md">
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} m={0} aria-label={label}>
        {facts
          .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
          .map(([name, value]) => (
            <div key={name}>
              <Text component="dt" size="sm" c="dimmed">
                {name}
              </Text>
              <Text component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Text>
            </div>
          ))}
      </SimpleGrid>
    </Paper>
  );
}
