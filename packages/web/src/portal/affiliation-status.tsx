import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Outputs } from '../api/client.ts';
import { Card } from '../components/card.tsx';
import { SignOutButton } from '../session/sign-out-button.tsx';
import { t } from '../texts/join.ts';
import classes from './portal-layout.module.css';

type Affiliation = Outputs['session']['get']['affiliations'][number];

interface AffiliationStatusProps {
  email: string;
  /** The affiliate's program, or null if the person has none. */
  affiliation: Affiliation | null;
}

/** Shows the state of an application, or a notice for people without a program. */
export function AffiliationStatus({ email, affiliation }: AffiliationStatusProps) {
  if (!affiliation) return <Notice title={t.noProgram}>{t.noProgramExplained({ email })}</Notice>;
  const names = { account: affiliation.account_name, campaign: affiliation.campaign_name };
  if (affiliation.state === 'pending') {
    return (
      <Notice title={t.received} affiliation={affiliation}>
        {t.receivedExplained(names)}
      </Notice>
    );
  }
  return (
    <Notice title={t.notApproved} affiliation={affiliation}>
      {t.notApprovedExplained(names)}
      {affiliation.application_note !== null && (
        <Text component="span" className={classes['note']}>
          {t.noteFrom(names)} {affiliation.application_note}
        </Text>
      )}
    </Notice>
  );
}

function Notice({ title, affiliation, children }: { title: string; affiliation?: Affiliation; children: ReactNode }) {
  return (
    <Card title={title} {...(affiliation ? { brand: { name: affiliation.account_name, ...affiliation.brand } } : {})}>
      <Text mb="md">{children}</Text>
      <SignOutButton />
    </Card>
  );
}
