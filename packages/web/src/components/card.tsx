import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

interface CardProps {
  title: string;
  /** The merchant whose name and logo the page shows. Default: those of the service. */
  brand?: { name: string; logo_path: string | null };
  children: ReactNode;
}

/** The layout of the pages that do not require sign-in. */
export function Card({ title, brand, children }: CardProps) {
  const heading = useId();
  return (
    <Center component="main" mih="100dvh" p="md">
      <title>{`${title} · ${brand?.name ?? 'Affiliate'}`}</title>
      <Stack w="100%" maw={400}>
        <Group gap="xs" justify="center">
          {brand ? (
            brand.logo_path !== null && <img src={brand.logo_path} alt="" className={classes['logo']} />
          ) : (
            <img src="/icon.svg" alt="" width={28} height={28} />
          )}
          <Text fw={600}>{brand?.name ?? 'Affiliate'}</Text>
        </Group>
        <Paper component="section" aria-labelledby={heading} withBorder radius="md" p="xl">
          <Title order={1} size="h3" mb="md" id={heading}>
            {title}
          </Title>
          {children}
        </Paper>
      </Stack>
    </Center>
  );
}
