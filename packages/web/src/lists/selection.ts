import { useState } from 'react';

/** Records that are selected, on all pages of a list. */
export interface Selection<Row> {
  chosen: Row[];
  has: (row: Row) => boolean;
  select: (rows: Row[], selected: boolean) => void;
  clear: () => void;
}

/** Starts empty, and is kept while the list is filtered, sorted and paged. */
export function useSelection<Row extends { id: string }>(): Selection<Row> {
  const [chosen, setChosen] = useState<Row[]>([]);
  return {
    chosen,
    has: ({ id }) => chosen.some((row) => row.id === id),
    select: (rows, selected) =>
      setChosen((before) => [...before.filter(({ id }) => rows.every((row) => row.id !== id)), ...(selected ? rows : [])]),
    clear: () => setChosen([]),
  };
}
