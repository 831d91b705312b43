import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { Page } from '../components/page.tsx';
import { t } from '../texts/layout.ts';

export function NotFoundPage() {
  return (
    <Page title={t.pageNotFound}>
      <EmptyState
        title={t.pageDoesNotExist}
        action={
          <Button component={Link} to="/" variant="default">
            {t.goToOverview}
          </Button>
        }
      >
        {t.linkOutdated}
      </EmptyState>
    </Page>
  );
}
