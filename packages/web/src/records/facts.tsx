import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shows the fields of a record that have a value, in one column if it is narrow. */
export function Facts({ label, facts }: { label: string; facts: [name: string, value: ReactNode][] }) {
  return (
    <Paper withBorder p="md" radius="md">
      <SimpleGrid
        component="dl"
        type="container"
        cols={{ base: 1, '420px': 2, '760px': 3 }}
        spacing="sm"
        verticalSpacing="sm"
        m={0}
        aria-label={label}
      >
        {facts
          .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
          .map(([name, value]) => (
            <div key={name}>
              <Text component="dt" size="xs" c="dimmed">
                {name}
              </Text>
              <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Text>
            </div>
          ))}
      </SimpleGrid>
    </Paper>
  );
}
