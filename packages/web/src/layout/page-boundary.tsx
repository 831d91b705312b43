import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { EmptyState } from '../components/empty-state.tsx';
import { t } from '../texts/layout.ts';

/** Shows an error in place of a page that crashes, so that the rest of the application still works. React requires a class for this. */
export class PageBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div role="alert">
        <EmptyState
          title={t.somethingWrong}
          action={
            <Button variant="default" onClick={() => window.location.reload()}>
              {t.reloadPage}
            </Button>
          }
        >
          {t.nothingChanged}
        </EmptyState>
      </div>
    );
  }
}
