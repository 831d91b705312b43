import { Button } from '@mantine/core';
import { useRef } from 'react';

interface FileButtonProps {
  label: string;
  /** File types that the browser's file dialog offers. */
  accept?: string;
  isBusy: boolean;
  onChoose: (file: File) => void;
}

/** A button to choose a file on the user's device. */
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
          // Clears the input, because choosing the same file again would otherwise not fire an event.
          event.currentTarget.value = '';
          if (file) onChoose(file);
        }}
      />
    </>
  );
}
