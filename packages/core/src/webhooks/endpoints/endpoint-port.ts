/** Lowest port that programs without privileges may use. Lower ports are used by system services such as SSH, SMTP and LDAP. */
const FIRST_UNPRIVILEGED_PORT = 1024;

/**
 * Ports of well-known email and database servers. Some of them understand commands in the body of an HTTP request, so webhooks must not
 * be able to reach them.
 */
const REFUSED_PORTS = new Set([
  2525, // SMTP, where port 25 is blocked
  1433, // Microsoft SQL Server
  1434, // Microsoft SQL Server Browser
  1521, // Oracle
  2379, // etcd clients
  2380, // etcd peers
  2483, // Oracle
  2484, // Oracle with TLS
  3050, // Firebird
  3306, // MySQL, MariaDB
  5432, // PostgreSQL
  5433, // PostgreSQL, a second cluster
  5984, // CouchDB
  6379, // Redis, Valkey
  6380, // Redis with TLS
  6432, // PgBouncer
  7687, // Neo4j
  8086, // InfluxDB
  8529, // ArangoDB
  9042, // Cassandra, ScyllaDB
  9160, // Cassandra over Thrift
  9200, // Elasticsearch, OpenSearch
  9300, // Elasticsearch nodes
  11211, // memcached
  16379, // Redis cluster bus
  26257, // CockroachDB
  26379, // Redis Sentinel
  27017, // MongoDB
  27018, // MongoDB shards
  27019, // MongoDB config servers
  28015, // RethinkDB
]);

/** True if webhooks may be sent to the port of this URL (docs/rules/webhooks.md#addresses). */
export function isPermittedPort({ port }: URL): boolean {
  // The port is empty if it is the default port of the scheme, because the URL parser removes it.
  if (port === '' || port === '80' || port === '443') return true;
  const number = Number(port);
  return number >= FIRST_UNPRIVILEGED_PORT && !REFUSED_PORTS.has(number);
}
