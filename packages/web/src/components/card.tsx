import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** The layout of the pages that do not require sign-in. */
export function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <title>{`${title} · Affiliate`}</title>
      <Stack w="100%" maw={400}>
        <Group gap="xs" justify="center">
          <img src="/icon.svg" alt="" width={28} height={28} />
          <Text fw={600}>Affiliate</Text>
        </Group>
        <Paper withBorder radius="md" p="xl">
          <Title order={1} size="h3" mb="md">
            {title}
          </Title>
          {children}
        </Paper>
      </Stack>
    </Center>
  );
}
