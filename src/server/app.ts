/** The product as an HTTP application: the same for the started server and for every test. */
import fastifyCookie from '@fastify/cookie';
import fastifyMultipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync, LogController } from 'fastify';
import { accountRoutes } from './accounts/accounts.routes.ts';
import { authenticate } from './accounts/authenticate.ts';
import { adminRoutes } from './admin/admin.routes.ts';
import { admissionRoutes } from './admission/admission.routes.ts';
import { ownsEvent, readGrant } from './admission/read-grant.ts';
import { affiliateRoutes } from './affiliates/affiliates.routes.ts';
import { checkoutRoutes } from './checkout/checkout.routes.ts';
import type { Deps } from './deps.ts';
import { eventRoutes } from './events/events.routes.ts';
import { readEventPage } from './events/read-event-page.ts';
import { answerBrokenRequest } from './http/answer-broken-request.ts';
import { answerRefusals } from './http/answer-refusal.ts';
import { endIdleConnections } from './http/end-idle-connections.ts';
import { guardsOf } from './http/guards.ts';
import { securityHeaders } from './http/headers.ts';
import { health } from './http/health.ts';
import { screens } from './http/screens.ts';
import { mailRoutes } from './mail/mail.routes.ts';
import { noticeRoutes } from './notices/notices.routes.ts';
import { payoutRoutes } from './payouts/payouts.routes.ts';
import { photoRoutes } from './photos/photos.routes.ts';
import { shareCardRoutes } from './photos/share-card.routes.ts';
import { refundRoutes } from './refunds/refunds.routes.ts';

export interface AppOptions {
  deps: Deps;
  trustedProxies: number;
  isReady: () => Promise<boolean>;
  /** Folder of the built web; null where only the calls are wanted. */
  webRoot: string | null;
  /** Pages of the world around the product, such as the sandbox's. */
  plugins: readonly FastifyPluginAsync[];
}

const BODY_LIMIT = 64 * 1024;

export async function buildApp({
  deps,
  trustedProxies,
  isReady,
  webRoot,
  plugins,
}: AppOptions): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.log;
  const app = Fastify({
    loggerInstance,
    // One line a request would be most of the log, and its address may hold a secret.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address: string, hop: number) => hop < trustedProxies,
    genReqId: () => crypto.randomUUID(),
    bodyLimit: BODY_LIMIT,
    // As long as an address can be: the router's own answer to a longer part of it would be no sentence of ours.
    routerOptions: { maxParamLength: 16_384 },
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenRequest,
  });

  app.decorate('handstamp', {
    publicUrl: deps.publicUrl,
    guards: guardsOf({
      authenticate: (credentials) => authenticate(deps, credentials),
      readGrant: (cookie, eventId) => readGrant(deps, cookie, eventId),
      ownsEvent: (organizer, eventId) => ownsEvent(deps, organizer.userId, eventId),
    }),
  });
  endIdleConnections(app);
  securityHeaders(app, deps.publicUrl);
  answerRefusals(app);
  // Calls speak JSON; a form on another site could send plain text without being asked.
  app.removeContentTypeParser('text/plain');
  await app.register(fastifyCookie);
  await app.register(fastifyMultipart, { throwFileSizeLimit: false });

  accountRoutes(app, deps);
  eventRoutes(app, deps);
  photoRoutes(app, deps);
  shareCardRoutes(app, deps);
  checkoutRoutes(app, deps);
  noticeRoutes(app, deps);
  admissionRoutes(app, deps);
  mailRoutes(app, deps);
  refundRoutes(app, deps);
  payoutRoutes(app, deps);
  affiliateRoutes(app, deps);
  adminRoutes(app, deps);
  health(app, isReady);
  for (const plugin of plugins) await app.register(plugin);
  if (webRoot) {
    await screens(app, { webRoot, publicUrl: deps.publicUrl, readEvent: (eventId) => readEventPage(deps, eventId) });
  }
  return app;
}
