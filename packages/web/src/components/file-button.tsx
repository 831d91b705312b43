import { Button } from '@mantine/core';
import { useRef } from 'react';

interface FileButtonProps {
  label: string;
  /** Types of files that the browser offers. */
  accept?: string;
  isBusy: boolean;
  onChoose: (file: File) => void;
}

/** A button that asks for a file of this device. */
export function FileButton({ label, accept, isBusy, onChoose }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant="default" loading={isBusy} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          // The same file can be chosen again, after it has changed.
          event.currentTarget.value = '';
          if (file) onChoose(file);
        }}
      />
    </>
  );
}
