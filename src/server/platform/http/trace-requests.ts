import { context, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import { startSpan } from '#server/platform/tracing/spans.ts';

/** A span for each request that a route answers. Cached pages are answered before any route, and have none. */
export function traceRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, { raw }, done) => {
    const route = request.routeOptions.url ?? 'none';
    const { span, within } = startSpan(`${request.method} ${route}`, SpanKind.SERVER, {
      'http.request.method': request.method,
      'http.route': route,
      // As in the log, and in `x-request-id`.
      'http.request.id': request.id,
    });
    // Also of a request whose client went away.
    raw.once('close', () => {
      if (raw.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('http.response.status_code', raw.statusCode).end();
    });
    context.with(within, done);
  });
}
