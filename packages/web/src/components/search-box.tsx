import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { t } from '../texts/components.ts';

/** A field to search a list. The search text is in the URL, like the values of filters. */
export function SearchBox({ label, name = 'search' }: { label: string; name?: string }) {
  const [params, setParams] = useSearchParams();
  const requested = params.get(name) ?? '';
  const [text, setText] = useState(requested);
  // Updates the text if the URL changes, e.g. by the browser's Back button.
  const [shown, setShown] = useState(requested);
  if (shown !== requested) {
    setShown(requested);
    setText(requested);
  }
  const search = (value: string) => {
    const { [name]: _, page: _page, ...rest } = Object.fromEntries(params);
    setParams(value.trim() === '' ? rest : { ...rest, [name]: value.trim() });
  };
  return (
    <form
      role="search"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        search(text);
      }}
    >
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          type="search"
          label={label}
          value={text}
          maxLength={254}
          onChange={(event) => {
            setText(event.currentTarget.value);
            // Clearing the text, e.g. with the browser's clear button, ends the search at once.
            if (event.currentTarget.value === '' && requested !== '') search('');
          }}
        />
        <Button type="submit" variant="default">
          {t.search}
        </Button>
      </Group>
    </form>
  );
}
