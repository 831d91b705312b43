import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Outputs } from '../api/client.ts';
import { Card } from '../components/card.tsx';
import { SignOutButton } from '../session/sign-out-button.tsx';

interface NoticeProps {
  title: string;
  /** The program that it is about. */
  affiliation?: Outputs['session']['get']['affiliations'][number];
  children: ReactNode;
}

/** What a signed-in person without a portal reads. */
export function Notice({ title, affiliation, children }: NoticeProps) {
  return (
    <Card title={title} {...(affiliation ? { brand: { name: affiliation.account_name, ...affiliation.brand } } : {})}>
      <Text mb="md">{children}</Text>
      <SignOutButton />
    </Card>
  );
}
