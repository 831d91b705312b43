import { ActionLink } from '../components/action-link.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Page } from '../components/page.tsx';
import { t } from '../texts/layout.ts';

export function NotFoundPage() {
  return (
    <Page title={t.pageNotFound}>
      <EmptyState title={t.pageDoesNotExist} action={<ActionLink to="/">{t.goToOverview}</ActionLink>}>
        {t.linkOutdated}
      </EmptyState>
    </Page>
  );
}
