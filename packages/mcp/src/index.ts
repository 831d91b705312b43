export { type HttpHost, mcpOverHttp } from './http.ts';
export { mcpOverStdio } from './stdio.ts';
export { type Connection, createMcpServer } from './server.ts';
export type { Assistant } from './published-tool.ts';
