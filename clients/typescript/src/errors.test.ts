import { describe, expect, it } from 'vitest';
import { HandstampError } from './errors.ts';

const errorOf = (body: unknown, status = 409) => new HandstampError(new Response('', { status }), body);

describe('An error of the API', () => {
  it('has its code, parameters, status and the id of the request', () => {
    const params = { name: 'Balcony', left: 2 };
    const error = errorOf({
      error: { code: 'check-in.already-in', message: 'Already in', params },
      request_id: 'req-1',
    });

    expect(error).toMatchObject({ code: 'check-in.already-in', message: 'Already in', params });
    expect(error).toMatchObject({ status: 409, requestId: 'req-1', retryAfterSeconds: null });
  });

  it.each([['<html>Bad gateway</html>'], [null], [{ error: 'gone' }], [undefined]])(
    'has a code even if something in between answers: %o',
    (body) => {
      expect(errorOf(body, 502)).toMatchObject({ code: 'http.502', params: {}, requestId: null });
    },
  );
});
