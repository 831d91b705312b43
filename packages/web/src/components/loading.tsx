import { Center, Loader } from '@mantine/core';

export function Loading() {
  return (
    <Center mih={160} role="status" aria-label="Loading">
      <Loader type="dots" />
    </Center>
  );
}
