export { EmbeddedPostgresError } from './error.ts';
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, openEmbeddedPostgres } from './open.ts';
