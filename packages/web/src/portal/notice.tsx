import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card } from '../components/card.tsx';
import { SignOutButton } from '../session/sign-out-button.tsx';

/** What a signed-in person without a portal reads. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <Text mb="md">{children}</Text>
      <SignOutButton />
    </Card>
  );
}
