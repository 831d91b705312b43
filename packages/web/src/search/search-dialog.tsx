import { Anchor, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { useFocusReturn } from '../components/focus-return.ts';
import { pathOf } from '../records/paths.ts';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/search.ts';
import { type Place, placesFor } from './places.ts';

type Found = Outputs['search']['find']['data'][number];

/** A record, a page or an act, with where it is and what it is. */
interface Result {
  path: string;
  title: string;
  detail: string;
}

const DELAY_MS = 200;

/** Searches all pages, acts and records, in this order. The arrow keys move through the results, and Enter opens one. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  useFocusReturn();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [requested] = useDebouncedValue(text.trim(), DELAY_MS);
  const results = useRef<HTMLUListElement>(null);
  const search = useQuery(
    trpc.search.find.queryOptions({ q: requested }, { enabled: requested !== '', placeholderData: keepPreviousData }),
  );
  const { account, role } = useMember();
  const { pages, acts } = placesFor(requested, role, account);
  const placed = (detail: string) => (place: Place) => ({ path: place.path, title: place.label, detail });
  const found: Result[] =
    requested === ''
      ? []
      : [...pages.map(placed(t.page)), ...acts.map(placed(t.action)), ...(search.data?.data ?? []).map(resultOf)];
  const move = (event: React.KeyboardEvent, step: number) => {
    const links = [...(results.current?.querySelectorAll('a') ?? [])];
    event.preventDefault();
    links[links.indexOf(document.activeElement as HTMLAnchorElement) + step]?.focus();
  };
  return (
    <Modal opened onClose={onClose} title={t.search} size="lg" closeButtonProps={{ 'aria-label': t.close }}>
      <Stack
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(event, 1);
          if (event.key === 'ArrowUp') move(event, -1);
        }}
      >
        <form
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            const [first] = found;
            if (first === undefined || requested !== text.trim()) return;
            void navigate(first.path);
            onClose();
          }}
        >
          <TextInput
            type="search"
            label={t.searchFor}
            description={t.searchHint}
            maxLength={254}
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </form>
        {search.isError && <Failure error={search.error} />}
        <Text size="sm" c="dimmed" role="status">
          {requested !== '' && search.isSuccess && t.results(found.length)}
        </Text>
        {found.length > 0 && (
          <ul ref={results} style={{ margin: 0, padding: 0, listStyle: 'none' }} aria-label={t.searchResults}>
            {found.map(({ path, title, detail }) => (
              <li key={`${path} ${title}`} style={{ padding: '6px 0' }}>
                <Anchor component={Link} to={path} onClick={onClose} style={{ overflowWrap: 'anywhere' }}>
                  {title}
                </Anchor>
                <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {detail}
                </Text>
              </li>
            ))}
          </ul>
        )}
      </Stack>
    </Modal>
  );
}

function resultOf({ kind, record_id, title, detail }: Found): Result {
  const more = detail !== null && detail !== title ? `, ${detail}` : '';
  return { path: pathOf(record_id) ?? '/', title, detail: `${t[kind]}${more}` };
}
