export { type EmbeddedPostgres, type EmbeddedPostgresOptions, openEmbeddedPostgres } from './open.ts';
