import {
  DomainError,
  type CallContext,
  type ClientFacts,
  type CsvPart,
  type Landing,
  type Precondition,
  type Principal,
  type Services,
  type Upload,
  type Visitor,
  asDownload,
  assertMayCall,
  callProcedure,
  declaredBodyBytes,
  discardUpload,
  forgetResults,
  invalid,
  isPossibleReference,
  receiveUpload,
  readClientInput,
  toEnvelope,
  validationError,
  notFound,
  methodNotAllowed,
  unknownField,
  untranslated,
} from '@affiliate/core';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { writePart } from './backpressure.ts';
import { compressed } from './compressed-json.ts';
import { entityTagOf, isKnown, readPrecondition } from './conditional-requests.ts';
import { announceDeprecation } from './deprecations.ts';
import { readJsonBody } from './json-body.ts';
import { jsonInParts } from './json-parts.ts';
import { readQuery } from './query.ts';
import { ofKnownCaller, tooBig, uploadOf } from './raw-body.ts';
import { partyOf, stateOf, urlOf } from './request-state.ts';
import { type Match, type Route, matchPath } from './routes.ts';
import { sendVisitor } from './tracking/visitor.ts';

/**
 * Finds the operation of a request by the request's method and its path below the mount point. The caller need not be known, because the
 * same paths exist for every caller.
 *
 * @throws NOT_FOUND, METHOD_NOT_ALLOWED
 */
export function findRoute(request: Request, response: Response): Match {
  const matches = matchPath(request.baseUrl, urlOf(request).pathname);
  if (matches.length === 0) throw notFound('path');
  stateOf(request).route = `${request.baseUrl}${matches[0]!.route.template}`;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const match = matches.find(({ route }) => route.method === method);
  if (!match) {
    const accepted = [...new Set(matches.map(({ route }) => route.method))];
    response.setHeader('Allow', accepted.join(', '));
    throw methodNotAllowed(request.method, accepted);
  }
  return match;
}

/** True if an operation that needs credentials has the path of the request, with any method. */
export function hasRoute(request: Request): boolean {
  return matchPath(request.baseUrl, urlOf(request).pathname).length > 0;
}

/**
 * Reads the input of an operation that needs credentials, and runs the operation.
 *
 * @throws FORBIDDEN for an operation about a person, unless the caller is signed in; the errors of `readInput` and of the operation
 */
export async function dispatch(
  services: Services,
  match: Match,
  principal: Principal,
  request: Request,
  response: Response,
): Promise<void> {
  const { audience, rest } = match.route.meta;
  if (audience === 'signed_in' && principal.kind !== 'session')
    throw new DomainError(
      'FORBIDDEN',
      untranslated('Only signed-in people can do this. An API key cannot, whatever its permissions.'),
    );
  const given = await readInput(match, principal, request, response);
  const input = rest?.accountFromContext ? { ...given, account_id: principal.account_id } : given;
  announceDeprecation(match.route, given, services.publicUrl, response);
  const { method } = match.route;
  await readClientInput(services, principal, match.route.input, input, {
    nulls: method === 'PATCH' || method === 'PUT' ? 'kept' : 'absent',
  });
  const isWrite = method !== 'GET';
  const key = isWrite ? idempotencyKey(request) : undefined;
  const precondition = isWrite ? readPrecondition(request, match.route, input) : undefined;
  const upload = await receiveFile(services, match.route, { principal, input }, request);
  try {
    const call = { route: match.route, input, principal, idempotencyKey: key, precondition, upload };
    await carryOut(services, call, request, response);
  } catch (error) {
    throw namesNothing(match, input, error) ? notFound('path') : error;
  } finally {
    if (upload) await discardUpload(services, principal.account_id, upload.fileId);
  }
}

/** Receives the file in the body of a request, for operations that take one. Nothing is stored for a caller who may not call the operation. */
async function receiveFile(
  services: Services,
  { meta, input: schema }: Route,
  { principal, input }: { principal: Principal; input: Record<string, unknown> },
  request: Request,
): Promise<Upload | undefined> {
  const { maxUploadBytes: maxBytes } = meta;
  if (maxBytes === undefined) return undefined;
  assertMayCall(principal, 'v1', meta, schema, input);
  return receiveUpload(services, principal.account_id, uploadOf(request, maxBytes), { maxBytes, tooBig: tooBig(maxBytes) });
}

/** True if a call was refused because its path has a name that is none of the known ones. Such a path is unknown rather than an invalid field. */
function namesNothing({ route, params }: Match, input: Record<string, unknown>, error: unknown): boolean {
  if (toEnvelope(error).body.code !== 'VALIDATION_ERROR') return false;
  return Object.keys(params).some((name) => {
    const schema = route.input.shape[name] as z.ZodType;
    return schema instanceof z.ZodEnum && !schema.safeParse(input[name]).success;
  });
}

interface Call {
  route: Route;
  input: Record<string, unknown>;
  principal: Principal | Visitor;
  idempotencyKey?: string | undefined;
  precondition?: Precondition | undefined;
  /** Adds a cookie to the response of a tracking request, so that the visitor's browser remembers the referral. */
  toVisitor?: ((output: unknown, response: Response) => void) | undefined;
  client?: ClientFacts | undefined;
  /** File that arrived as the body of the request. */
  upload?: Upload | undefined;
}

/** Calls the procedure of a route, and sends its output with the status that the route declares. */
export async function carryOut(
  services: Services,
  { route, input, principal, idempotencyKey, precondition, toVisitor, client, upload }: Call,
  request: Request,
  response: Response,
): Promise<void> {
  const { requestId, hostAccountId } = stateOf(request);
  const context: CallContext = {
    services,
    requestId,
    principal,
    surface: 'v1',
    hostAccountId,
    idempotencyKey,
    precondition,
    reply: {},
    client,
    upload,
  };
  if (route.meta.rest?.csv) return asDownload(partyOf(request), () => sendCsv(context, route, input, request, response));
  const output = await callProcedure(context, route.procedure, input);
  if (context.reply.replayed) response.setHeader('Idempotent-Replayed', 'true');
  const status = context.reply.status ?? route.status;
  toVisitor?.(output, response);
  if (status === 202) announceProgress(route, input, response);
  if (status === 302) await sendVisitor(services, output as Landing, request, response);
  else if (status === 204) response.status(204).end();
  else await sendJson(request, response, { route, status, output });
}

/** Seconds after which a client should ask for the progress of work that continues in the background. */
const PROGRESS_SECONDS = 2;

/** Tells the client where to read the progress of work that continues in the background. */
function announceProgress({ mount, meta }: Route, { id }: Record<string, unknown>, response: Response): void {
  const location = meta.rest?.location;
  if (location === undefined) return;
  response.setHeader('Location', `${mount}${location.replace('{id}', encodeURIComponent(String(id)))}`);
  response.setHeader('Retry-After', PROGRESS_SECONDS);
}

/**
 * Sends a list as a CSV file, part by part, as fast as the client reads. An error after the first part ends the connection, so that no client takes a
 * part for the whole file.
 */
async function sendCsv(
  context: CallContext,
  route: Route,
  input: Record<string, unknown>,
  request: Request,
  response: Response,
): Promise<void> {
  const read = (after?: string) =>
    callProcedure(context, route.procedure, { ...input, ...(after && { after }) }) as Promise<CsvPart>;
  let part = await read();
  stateOf(request).unread?.assertRoom(response);
  response
    .attachment(route.template.slice(route.template.lastIndexOf('/') + 1))
    .setHeader('Content-Type', 'text/csv; charset=utf-8');
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  await writePart(response, part.header + part.data.join(''));
  forgetResults();
  while (part.next !== null && !response.destroyed) {
    part = await read(part.next);
    await writePart(response, part.data.join(''));
    forgetResults();
  }
  response.end();
}

/**
 * Sends a JSON response, or 304 if the client has it already. Faster than `response.json`, which would determine the content type and an ETag for
 * each response.
 */
async function sendJson(
  request: Request,
  response: Response,
  { route, status, output }: { route: Route; status: number; output: unknown },
): Promise<void> {
  // A change that has been made is always answered.
  if (request.method === 'GET') stateOf(request).unread?.assertRoom(response);
  const json = await jsonInParts(output, partyOf(request));
  const tag = entityTagOf(route, output, json);
  if (tag !== undefined) {
    response.setHeader('ETag', tag);
    if (route.method === 'GET' && isKnown(request, tag)) {
      response.status(304).end();
      return;
    }
  }
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  const body = await compressed(request, response, json);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/** Returns the Idempotency-Key of a request, if it has one. Throws VALIDATION_ERROR if it has several. */
export function idempotencyKey(request: Request): string | undefined {
  const values = request.headersDistinct['idempotency-key'];
  if (values && values.length > 1) throw invalid('Idempotency-Key', untranslated('Must be sent only once.'), 'repeated');
  return values?.[0];
}

/**
 * Merges path, query and body into one input. A path parameter must not also be in the query or the body. If the request has a body, its
 * query may contain only declared parameters.
 *
 * @throws NOT_FOUND, VALIDATION_ERROR, and the errors of `readJsonBody`
 */
async function readInput(
  { route, params }: Match,
  principal: Principal,
  request: Request,
  response: Response,
): Promise<Record<string, unknown>> {
  // A malformed id is answered like an unknown one (docs/rules/platform.md#ids).
  if (!Object.values(params).every(isPossibleReference)) throw new DomainError('NOT_FOUND');
  const parameters = urlOf(request).searchParams;
  parameters.delete('account_id');
  const query = readQuery(route.input, parameters);
  const body =
    route.method === 'GET' || route.meta.maxUploadBytes !== undefined
      ? {}
      : await readJsonBody(request, response, { limits: ofKnownCaller(declaredBodyBytes(principal, 'v1', route.meta)) });
  const misplaced = [
    ...Object.keys(query).filter((name) => name in params || !route.inQuery.includes(name)),
    ...Object.keys(body).filter((name) => name in params || (name === 'account_id' && route.meta.rest?.accountFromContext)),
  ];
  if (misplaced.length > 0) {
    const accepted = Object.keys(route.input.shape).filter((name) => !(name in params));
    throw validationError(misplaced.map((name) => unknownField(name, accepted)));
  }
  const contradicted = Object.keys(query).find((name) => Object.hasOwn(body, name) && body[name] !== query[name]);
  if (contradicted !== undefined)
    throw invalid(
      contradicted,
      untranslated('The query and the body contain different values. Send the field only once.'),
      'contradiction',
    );
  return { ...query, ...body, ...params };
}
