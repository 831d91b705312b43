import { useState } from 'react';

/** The selected records, from all pages of a list. */
export interface Selection<Row> {
  chosen: Row[];
  has: (row: Row) => boolean;
  select: (rows: Row[], selected: boolean) => void;
  clear: () => void;
}

/** Returns a selection that starts empty and survives filtering, sorting and paging. */
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
