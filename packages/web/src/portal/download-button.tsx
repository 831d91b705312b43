import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { saveFile } from '../api/save-file.ts';
import { Failure } from '../components/failure.tsx';

/** A file that was loaded, or the address from which the browser downloads it. */
type DownloadedFile = { name: string; content: string; encoding: 'utf8' | 'base64' } | { url: string };

interface DownloadButtonProps {
  text: string;
  /** Accessible name, which distinguishes the buttons of a list. */
  label: string;
  load: () => Promise<DownloadedFile>;
}

/** A button that fetches a file and lets the browser save it. */
export function DownloadButton({ text, label, load }: DownloadButtonProps) {
  const download = useMutation({
    mutationFn: load,
    onSuccess: (file) => ('url' in file ? location.assign(file.url) : saveFile(file.name, file.content, file.encoding)),
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
