/** Spans of OpenTelemetry: what a request or a job did, and for how long. Nothing in them is personal. */
import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** Hands on to the tracer that `openTracing` registers. */
const tracer = trace.getTracer('handstamp');

export function startSpan(name: string, kind: SpanKind, attributes: Attributes = {}): { span: Span; within: Context } {
  const span = tracer.startSpan(name, { kind, attributes });
  return { span, within: trace.setSpan(context.active(), span) };
}

/** Runs a job as a span of its own. */
export async function inSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  const { span, within } = startSpan(name, SpanKind.CONSUMER);
  try {
    return await context.with(within, work);
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Runs a call to another system as a span below the current one. Without one, as usual: it is called while nothing is traced. */
export async function asCall<T>(name: string, attributes: Attributes, call: () => Promise<T>): Promise<T> {
  if (!trace.getActiveSpan()) return call();
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
  try {
    return await call();
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** The message may contain values, so only the kind of the error is recorded. */
function fail(span: Span, error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', code);
}
