import { EmptyState } from '../components/empty-state.tsx';
import { Page } from '../components/page.tsx';

export function OverviewPage() {
  return (
    <Page title="Overview">
      <EmptyState title="Nothing has happened yet">Create a campaign and invite affiliates to begin.</EmptyState>
    </Page>
  );
}
