import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Failure } from '../components/failure.tsx';

interface DownloadButtonProps {
  text: string;
  /** Accessible name, which distinguishes the buttons of a list. */
  label: string;
  /** Returns the address of the file. */
  load: () => Promise<string>;
}

/** A button with which the browser downloads a file. */
export function DownloadButton({ text, label, load }: DownloadButtonProps) {
  const download = useMutation({
    mutationFn: load,
    onSuccess: (url) => location.assign(new URL(url).pathname),
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={download.isPending}
        onClick={() => download.mutate()}
        aria-label={label}
      >
        {text}
      </Button>
      {download.isError && <Failure error={download.error} />}
    </>
  );
}
