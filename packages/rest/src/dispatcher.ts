import {
  DomainError,
  type CallContext,
  type Principal,
  type Services,
  callProcedure,
  invalid,
  isPossibleId,
  validationError,
} from '@affiliate/core';
import type { Request, RequestHandler, Response } from 'express';
import { readJsonBody } from './json-body.ts';
import { type Match, matchPath } from './routes.ts';
import { readQuery } from './query.ts';
import { urlOf } from './url.ts';

/** Finds the route of a request below its mount, before anything is asked of the caller. Throws NOT_FOUND, METHOD_NOT_ALLOWED. */
export const findRoute: RequestHandler = (request, response, next) => {
  const matches = matchPath(request.baseUrl, urlOf(request).pathname);
  if (matches.length === 0) throw new DomainError('NOT_FOUND', 'No such path.');
  response.locals['route'] = `${request.baseUrl}${matches[0]!.route.template}`;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const match = matches.find(({ route }) => route.method === method);
  if (!match) {
    response.setHeader('Allow', [...new Set(matches.map(({ route }) => route.method))].join(', '));
    throw new DomainError('METHOD_NOT_ALLOWED', `${request.method} is not possible here.`);
  }
  response.locals['match'] = match;
  next();
};

/** Calls the procedure of the route that was found, and answers with its output. */
export function dispatch(services: Services): RequestHandler {
  return async (request, response) => {
    const { match, requestId, principal } = response.locals as { match: Match; requestId: string; principal: Principal };
    const input = await readInput(match, request, response);
    const context: CallContext = {
      services,
      requestId,
      principal,
      surface: 'v1',
      idempotencyKey: request.method === 'POST' ? idempotencyKey(request) : undefined,
      reply: {},
    };
    const output = await callProcedure(context, match.route.procedure, input);
    if (context.reply.replayed) response.setHeader('Idempotent-Replayed', 'true');
    const status = context.reply.status ?? match.route.status;
    if (status === 204) response.status(204).end();
    else response.status(status).json(output);
  };
}

/** The Idempotency-Key of a request, if it has one. */
export function idempotencyKey(request: Request): string | undefined {
  const values = request.headersDistinct['idempotency-key'];
  if (values && values.length > 1) throw invalid('Idempotency-Key', 'Given more than once', 'repeated');
  return values?.[0];
}

/** Path, query and body as one input. A body or query cannot overrule the path, and only declared parameters may stand in the query beside a body. */
async function readInput({ route, params }: Match, request: Request, response: Response): Promise<Record<string, unknown>> {
  // A malformed id names no record, like one that is merely unknown (docs/domain-rules.md#ids).
  if (!Object.values(params).every(isPossibleId)) throw new DomainError('NOT_FOUND', 'No such record.');
  const parameters = urlOf(request).searchParams;
  parameters.delete('account_id');
  const query = readQuery(route.input, parameters);
  const body = route.method === 'GET' ? {} : await readJsonBody(request, response);
  const inQuery = route.method === 'GET' || route.method === 'DELETE' ? Object.keys(route.input.shape) : route.queryInBody;
  const misplaced = [
    ...Object.keys(query).filter((name) => name in params || !inQuery.includes(name)),
    ...Object.keys(body).filter((name) => name in params),
  ];
  if (misplaced.length > 0) {
    throw validationError(
      misplaced.map((path) => ({ path, code: 'unrecognized_key', message: 'This field or parameter is not known here.' })),
    );
  }
  const contradicted = Object.keys(query).find((name) => Object.hasOwn(body, name) && body[name] !== query[name]);
  if (contradicted !== undefined) throw invalid(contradicted, 'Query and body differ', 'contradiction');
  return { ...query, ...body, ...params };
}
