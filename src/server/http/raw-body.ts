/** A route that gets its body as it came: a signature covers bytes, not parsed values. */
import type { FastifyInstance } from 'fastify';

const BODY_LIMIT = 1024 * 1024;

export function mountRaw(
  app: FastifyInstance,
  path: string,
  handler: (body: Buffer, header: (name: string) => string | undefined) => Promise<{ msg: string }>,
): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(path, async (request) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      return handler(body, (name) => [request.headers[name]].flat()[0]);
    });
  });
}
