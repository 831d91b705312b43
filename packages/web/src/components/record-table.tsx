import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './record-table.module.css';

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, for amounts and counts. */
  numeric?: boolean;
}

interface RecordTableProps<Row> {
  /** Description of the rows for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
}

/** A table of records. On narrow screens each row becomes a card with the headers as labels. */
export function RecordTable<Row>({ caption, columns, rows, keyOf }: RecordTableProps<Row>) {
  return (
    <Table verticalSpacing="sm" className={classes['table']}>
      <caption className={classes['caption']}>{caption}</caption>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ header, numeric }) => (
            <Table.Th key={header} scope="col" ta={numeric ? 'right' : 'left'}>
              {header}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)}>
            {columns.map(({ header, cell, numeric }) => (
              <Table.Td key={header} data-label={header} data-numeric={numeric || undefined}>
                <div className={classes['value']}>{cell(row)}</div>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
