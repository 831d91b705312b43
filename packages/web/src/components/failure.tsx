import { Alert, Button, Group } from '@mantine/core';
import { serviceErrorOf } from '../api/service-error.ts';

/** An error message from the service. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <Alert color="red" role="alert" title={serviceErrorOf(error).message} my="md">
      {retry && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={retry}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  );
}
