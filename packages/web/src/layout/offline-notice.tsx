import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { t } from '../texts/layout.ts';

/** Shown while the browser has no connection. */
export function OfflineNotice() {
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <Alert color="yellow" title={t.offline} mb="md">
          {t.offlineMeaning}
        </Alert>
      )}
    </div>
  );
}
