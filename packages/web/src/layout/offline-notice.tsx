import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';

/** Shown while the browser has no connection. */
export function OfflineNotice() {
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <Alert color="yellow" title="You are offline" mb="md">
          The figures may be outdated, and changes cannot be saved until the connection is back.
        </Alert>
      )}
    </div>
  );
}
