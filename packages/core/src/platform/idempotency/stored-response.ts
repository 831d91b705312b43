import type { Ctx } from '../call/context.ts';

/** A response as it is stored for replays. If `status` is null, the response has the status that the procedure declares. */
export interface StoredResponse<Body = unknown> {
  status: number | null;
  body: Body;
}

/** Converts the result of a service to a response. The procedure provides it, because services do not know about statuses. */
export type ToResponse<Result, Body> = (result: Result) => StoredResponse<Body>;

/** Returns the body of a response, and sets its status in `ctx.reply`. */
export function respondWith<Body>({ reply }: Pick<Ctx, 'reply'>, { status, body }: StoredResponse<Body>): Body {
  if (status !== null) reply.status = status;
  return body;
}

/** Like `respondWith`, for a stored response. Also marks the reply as a replay. */
export function replayResponse<Body>(ctx: Pick<Ctx, 'reply'>, response: StoredResponse<Body>): Body {
  ctx.reply.replayed = true;
  return respondWith(ctx, response);
}
