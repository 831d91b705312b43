import { Group, Paper, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A titled part of a page, with a border. */
export function Panel({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <Paper component="section" withBorder p="md" radius="md" aria-labelledby={id} miw={0}>
      <Group justify="space-between" gap="sm" mb="sm">
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Paper>
  );
}
