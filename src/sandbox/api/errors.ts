/** Stripe's errors, with Stripe's messages. */

export interface ErrorBody {
  type: 'invalid_request_error' | 'idempotency_error' | 'api_error' | 'card_error';
  code?: string;
  message: string;
  param?: string;
  doc_url?: string;
}

/** An error that the API returns by design. Any other exception is a bug and results in a 500. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly error: ErrorBody;

  constructor(status: number, error: ErrorBody) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

export function invalidRequest(
  message: string,
  options: { code?: string; param?: string; status?: number } = {},
): ApiError {
  const { status = 400, ...rest } = options;
  const docUrl = rest.code ? { doc_url: `https://stripe.com/docs/error-codes/${rest.code.replaceAll('_', '-')}` } : {};
  return new ApiError(status, { type: 'invalid_request_error', message, ...rest, ...docUrl });
}

export const resourceMissing = (objectName: string, id: string, param = 'id', status = 404) =>
  invalidRequest(`No such ${objectName}: '${id}'`, { code: 'resource_missing', param, status });

export const unknownParameter = (param: string) =>
  invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });

export const missingParameter = (param: string) =>
  invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });

export const emptyParameter = (param: string) =>
  invalidRequest(
    `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
    { code: 'parameter_invalid_empty', param },
  );

export const unrecognizedUrl = (method: string, path: string) =>
  invalidRequest(
    `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
    { status: 404 },
  );

export const idempotencyKeyInUse = () =>
  new ApiError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message:
      'There is currently another in-progress request using this Idempotency Key (that probably means you submitted twice, and the other request is still going through). Please try again later.',
  });

export const idempotencyKeyReused = (key: string) =>
  new ApiError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });

export const serverError = () =>
  new ApiError(500, {
    type: 'api_error',
    message: 'An unknown error occurred. (Injected by a sandbox fault.)',
  });

export const tooManyRequests = () =>
  invalidRequest(
    'Request rate limit exceeded. You can learn more about rate limits here https://stripe.com/docs/rate-limits.',
    {
      code: 'rate_limit',
      status: 429,
    },
  );

export const lockTimeout = () =>
  invalidRequest(
    'This object cannot be accessed right now because another API request or Stripe process is currently accessing it.',
    { code: 'lock_timeout', status: 429 },
  );
