/** A refusal in Stripe's form: `{ error: { type, code, message, param } }`. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | undefined;
  readonly param: string | undefined;

  constructor(status: number, error: { type: string; message: string; code?: string; param?: string }) {
    super(error.message);
    this.status = status;
    this.type = error.type;
    this.code = error.code;
    this.param = error.param;
  }

  toJSON() {
    return {
      error: {
        type: this.type,
        message: this.message,
        ...(this.code && { code: this.code, doc_url: `https://stripe.com/docs/error-codes/${this.code}` }),
        ...(this.param && { param: this.param }),
      },
    };
  }
}

export function invalidRequest(message: string, detail: { code?: string; param?: string } = {}): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...detail });
}

export function noSuch(what: string, id: string, param = 'id'): ApiError {
  return new ApiError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  });
}

/** A key as the provider quotes it. */
export function quoted(key: string): string {
  return `${key.slice(0, 8)}${'*'.repeat(12)}${key.slice(-4)}`;
}

/** The account in the header `Stripe-Account` is not connected to the account of the key. */
export function noAccess(key: string, accountId: string): ApiError {
  return new ApiError(403, {
    type: 'invalid_request_error',
    code: 'account_invalid',
    message: `The provided key '${quoted(key)}' does not have access to account '${accountId}' (or that account does not exist). Application access may have been revoked.`,
  });
}

export function unauthorized(key: string | undefined): ApiError {
  const message = key ? `Invalid API Key provided: ${quoted(key)}` : 'You did not provide an API key.';
  return new ApiError(401, { type: 'invalid_request_error', message });
}
