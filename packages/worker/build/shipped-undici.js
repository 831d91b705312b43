/** Replaces `undici` in the production build. Contains only what sending webhooks needs, without fetch, caches, proxies and mocks. */
import request from 'undici/lib/api/api-request.js';
import buildConnector from 'undici/lib/core/connect.js';
import errors from 'undici/lib/core/errors.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';

Dispatcher.prototype.request = request;

export { Pool, buildConnector, errors };
