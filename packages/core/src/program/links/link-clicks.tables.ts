declare module '../../platform/db/tables.ts' {
  interface Tables {
    link_clicks: LinkClicksTable;
  }
}

export interface LinkClicksTable {
  link_id: string;
  day: string;
  account_id: string;
  clicks: number;
}
