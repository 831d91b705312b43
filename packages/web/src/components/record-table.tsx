import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './record-table.module.css';

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Amounts and counts stand under each other. */
  numeric?: boolean;
}

interface RecordTableProps<Row> {
  /** What the rows are, for those who do not see the page. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
}

/** A list of records. Where the screen is narrow, each row becomes a card with the headers as labels. */
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
