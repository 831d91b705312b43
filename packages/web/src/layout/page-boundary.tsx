import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { EmptyState } from '../components/empty-state.tsx';

/** Keeps a mistake in one page from taking the others away. React takes only classes for this. */
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
          title="This page cannot be shown"
          action={
            <Button variant="default" onClick={() => window.location.reload()}>
              Load it again
            </Button>
          }
        >
          The mistake is ours; nothing was changed by it. The other pages still work.
        </EmptyState>
      </div>
    );
  }
}
