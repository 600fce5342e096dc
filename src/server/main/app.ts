/** Builds the HTTP application, for the server and for tests. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastifyCookie from '@fastify/cookie';
import fastifyMultipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync, LogController } from 'fastify';
import type { OrderAddress } from '#contract/app/checkout.ts';
import { accountRoutes } from '#server/accounts/accounts.routes.ts';
import { affiliateRoutes } from '#server/accounts/affiliates/affiliates.routes.ts';
import { admitKey } from '#server/accounts/api-keys/admit-key.ts';
import { apiKeyRoutes } from '#server/accounts/api-keys/api-keys.routes.ts';
import { authenticate } from '#server/accounts/authenticate.ts';
import { factorRoutes } from '#server/accounts/factors/factors.routes.ts';
import { loginRoutes } from '#server/accounts/login/login.routes.ts';
import { successorOf } from '#server/accounts/page/organization-page.ts';
import { planRoutes } from '#server/accounts/plans/plans.routes.ts';
import { securityRoutes } from '#server/accounts/security/security.routes.ts';
import { teamRoutes } from '#server/accounts/team/team.routes.ts';
import { viewingRoutes } from '#server/accounts/viewing/viewing.routes.ts';
import { reportRoutes } from '#server/backoffice/abuse-reports/reports.routes.ts';
import { adminRoutes } from '#server/backoffice/admin/admin.routes.ts';
import { alertRoutes } from '#server/backoffice/alerts/alerts.routes.ts';
import { apiRoutes } from '#server/backoffice/api/api.routes.ts';
import { apiWriteRoutes } from '#server/backoffice/api-writes/writes.routes.ts';
import { auditRoutes } from '#server/backoffice/audit/audit.routes.ts';
import { brakeRoutes } from '#server/backoffice/brakes/brakes.routes.ts';
import { changesRoutes } from '#server/backoffice/changes/changes.routes.ts';
import { disputeRoutes } from '#server/backoffice/disputes/disputes.routes.ts';
import { eventFileRoutes } from '#server/backoffice/files/event-files.routes.ts';
import { fundsRoutes } from '#server/backoffice/funds/funds.routes.ts';
import { guestRoutes } from '#server/backoffice/guests/guests.routes.ts';
import { journalRoutes } from '#server/backoffice/journal/journal.routes.ts';
import { readOffer } from '#server/backoffice/offer/read-offer.ts';
import { orderListRoutes } from '#server/backoffice/orders/orders.routes.ts';
import { overviewRoutes } from '#server/backoffice/overview/overview.routes.ts';
import { privacyRoutes } from '#server/backoffice/privacy/privacy.routes.ts';
import { profileRoutes } from '#server/backoffice/profile/profile.routes.ts';
import { salesRoutes } from '#server/backoffice/sales/sales.routes.ts';
import { statementRoutes } from '#server/backoffice/statement/statement.routes.ts';
import { taxReportRoutes } from '#server/backoffice/taxes/taxes.routes.ts';
import { webhookEndpointRoutes } from '#server/backoffice/webhooks/webhook-endpoints.routes.ts';
import { workspaceRoutes } from '#server/backoffice/workspace/workspace.routes.ts';
import { checkInRoutes, guestSearchRoutes, syncRoutes } from '#server/checkin/check-in.routes.ts';
import { deviceRoutes } from '#server/checkin/devices/devices.routes.ts';
import { memberAtDoor, openGrantReader } from '#server/checkin/devices/grants.ts';
import { earlyCheckInRoutes } from '#server/checkin/early/early-check-ins.routes.ts';
import { offlineListRoutes } from '#server/checkin/offline-list/offline-list.routes.ts';
import { readContactPage } from '#server/emails/contact/find-contact.ts';
import { emailRoutes } from '#server/emails/emails.routes.ts';
import { embedRoutes } from '#server/events/embed/embed.routes.ts';
import { eventRoutes } from '#server/events/events.routes.ts';
import { guestFormRoutes } from '#server/events/guest-form/guest-form.routes.ts';
import { lifeRoutes } from '#server/events/life/life.routes.ts';
import { linkRoutes } from '#server/events/links/links.routes.ts';
import { organizerPageRoutes } from '#server/events/organizer-page/organizer-page.routes.ts';
import { publishListings } from '#server/events/organizer-page/published-listings.ts';
import { publishedRoutes } from '#server/events/page/event-page.routes.ts';
import { publishEvents } from '#server/events/page/page-cache.ts';
import { previewRoutes } from '#server/events/page/preview.routes.ts';
import { readEventPage } from '#server/events/page/read-event-page.ts';
import { openViewCounter } from '#server/events/page/view-counter.ts';
import { photoRoutes } from '#server/events/photos/photos.routes.ts';
import { seriesRoutes } from '#server/events/series/series.routes.ts';
import { seriesChangeRoutes } from '#server/events/series-changes/series-changes.routes.ts';
import { shareCardRoutes } from '#server/events/share-card/share-card.routes.ts';
import { shareKitRoutes } from '#server/events/share-kit/share-kit.routes.ts';
import { taxesRoutes } from '#server/events/taxes/taxes.routes.ts';
import { readChanges } from '#server/events/versions/read-changes.ts';
import { waitingRoomRoutes } from '#server/events/waiting-room/waiting-room.routes.ts';
import { compRoutes } from '#server/orders/comps/comps.routes.ts';
import { detailsRoutes } from '#server/orders/details/details.routes.ts';
import { freeOrderRoutes } from '#server/orders/free-orders/free-orders.routes.ts';
import { orderPageRoutes } from '#server/orders/order-page/order-page.routes.ts';
import { promoCodeRoutes } from '#server/orders/promo-codes/promo-codes.routes.ts';
import { takeDownRoutes } from '#server/orders/take-down.routes.ts';
import { transferRoutes } from '#server/orders/transfers/transfers.routes.ts';
import { appleServiceRoutes } from '#server/orders/wallets/apple-service.routes.ts';
import { checkoutRoutes } from '#server/payments/checkout/checkout.routes.ts';
import { readConfirmation } from '#server/payments/checkout/read-confirmation.ts';
import { withdrawalRoutes } from '#server/payments/comps/withdrawals.routes.ts';
import { memberRefundRoutes } from '#server/payments/member-refunds/member-refunds.routes.ts';
import { payoutRoutes } from '#server/payments/payouts/payouts.routes.ts';
import { refundRoutes } from '#server/payments/refunds/refunds.routes.ts';
import { webhookRoutes } from '#server/payments/webhooks/webhooks.routes.ts';
import type { Build } from '#server/platform/build.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { answerBrokenAddress, answerBrokenRequest, answerErrors } from '#server/platform/http/answer-errors.ts';
import {
  connectionTimes,
  endIdleConnections,
  endSlowBodies,
  limitRequests,
} from '#server/platform/http/connections.ts';
import { countRequests } from '#server/platform/http/count-requests.ts';
import { guardsOf } from '#server/platform/http/guards.ts';
import { commonHeaders, securityHeaders } from '#server/platform/http/headers.ts';
import { health } from '#server/platform/http/health.routes.ts';
import { rewriteUnreadableUrl } from '#server/platform/http/page-requests.ts';
import { readJson } from '#server/platform/http/read-input.ts';
import { requireGuards } from '#server/platform/http/require-guards.ts';
import { shedLoad } from '#server/platform/http/shed-load.ts';
import { traceRequests } from '#server/platform/http/trace-requests.ts';
import { openUploads } from '#server/platform/http/upload.ts';
import { openIdempotency } from '#server/platform/idempotency/idempotency.ts';
import type { ProcessMetrics } from '#server/platform/metrics/process-metrics.ts';
import { apiDescriptionRoutes } from './api/description.routes.ts';
import { appFiles } from './pages/app-files.ts';
import { draftPages } from './pages/draft-page.ts';
import { openPages } from './pages/page.ts';
import { listingRenderers, renderEmbed, renderEvent } from './pages/render-event.ts';
import { screens } from './pages/screens.ts';

export interface AppOptions {
  deps: Deps;
  /** Connections that checkouts cannot exhaust; defaults to those of `deps`. */
  reservedDb?: Db;
  /** Temporary storage for uploads. Should be on disk; the system's temporary folder is often in memory. */
  uploadFolder?: string;
  trustedProxies: number;
  isReady: () => Promise<boolean>;
  /** Which code runs, for those who ask on this machine. */
  build?: Build | null;
  /** Folder of the built web app; null to serve only the API. */
  webRoot: string | null;
  /** Additional routes, such as the sandbox's pages. */
  plugins: readonly FastifyPluginAsync[];
  /** Enables load shedding. */
  shedsLoad?: boolean;
  /** Null if requests aren't counted. */
  metrics?: Pick<ProcessMetrics, 'recordResponse'> | null;
  /** Whether requests become spans. */
  isTraced?: boolean;
}

const BODY_LIMIT = 64 * 1024;

export async function buildApp({
  deps,
  reservedDb = deps.db,
  uploadFolder = join(tmpdir(), 'handstamp-uploads'),
  trustedProxies,
  isReady,
  build = null,
  webRoot,
  plugins,
  shedsLoad = false,
  metrics = null,
  isTraced = false,
}: AppOptions): Promise<FastifyInstance> {
  const priority = { ...deps, db: reservedDb };
  const headers = commonHeaders(deps.publicUrl);
  const loggerInstance: FastifyBaseLogger = deps.log;
  const server = Fastify({
    loggerInstance,
    // Request lines would flood the log, and URLs can contain secrets.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address: string, hop: number) => hop < trustedProxies,
    genReqId: () => crypto.randomUUID(),
    bodyLimit: BODY_LIMIT,
    // As long as a URL can be, because the router answers longer parameters in its own format.
    routerOptions: { maxParamLength: 16_384 },
    forceCloseConnections: 'idle',
    // Requests during shutdown are served: Fastify's own 503 has neither our format nor a Retry-After.
    return503OnClosing: false,
    ...connectionTimes,
    clientErrorHandler: answerBrokenRequest(headers),
    frameworkErrors: answerBrokenAddress(headers),
    ...(webRoot !== null && { rewriteUrl: rewriteUnreadableUrl }),
  });

  if (metrics) countRequests(server, metrics);
  if (isTraced) traceRequests(server);
  server.decorate('handstamp', {
    publicUrl: deps.publicUrl,
    guards: guardsOf({
      authenticate: (credentials) => authenticate(deps, credentials),
      readGrant: openGrantReader(priority),
      memberAtDoor: (organizer, eventId) => memberAtDoor(priority, organizer, eventId),
      admitKey: (claims) => admitKey(deps, claims),
      protectsOperators: deps.takesRealMoney,
    }),
    idempotency: openIdempotency(deps),
  });
  requireGuards(server);
  endIdleConnections(server);
  securityHeaders(server, deps.publicUrl);
  answerErrors(server);
  limitRequests(server);
  if (shedsLoad) shedLoad(server, headers);
  endSlowBodies(server, { headers });
  readJson(server);
  // The API accepts JSON only. Forms on other sites can send plain text without a CORS preflight.
  server.removeContentTypeParser('text/plain');
  await server.register(fastifyCookie);
  await server.register(fastifyMultipart, { throwFileSizeLimit: false });
  await openUploads(server, uploadFolder);

  const pages = webRoot === null ? null : await openPages(webRoot);
  const render = pages && renderEvent(pages, deps.publicUrl);
  const embed = pages && renderEmbed(pages, deps.publicUrl);
  const published = publishEvents(deps, headers, render && embed && { page: render, embed });
  const listings = publishListings(deps, headers, listingRenderers(pages, deps.publicUrl));

  const views = openViewCounter(deps);
  server.addHook('onClose', () => views.flush());
  publishedRoutes(server, published, listings, deps.changes, views);
  previewRoutes(server, deps, render);
  organizerPageRoutes(server, deps, listings);
  accountRoutes(server, deps);
  loginRoutes(server, deps);
  factorRoutes(server, deps);
  securityRoutes(server, deps);
  profileRoutes(server, deps);
  workspaceRoutes(server, deps);
  statementRoutes(server, deps);
  journalRoutes(server, deps);
  taxReportRoutes(server, deps);
  salesRoutes(server, deps);
  eventFileRoutes(server, deps);
  linkRoutes(server, deps);
  eventRoutes(server, deps);
  lifeRoutes(server, deps);
  seriesChangeRoutes(server, deps);
  seriesRoutes(server, deps);
  takeDownRoutes(server, deps);
  guestRoutes(server, deps);
  overviewRoutes(server, deps);
  orderListRoutes(server, deps);
  photoRoutes(server, deps);
  shareCardRoutes(server, deps);
  shareKitRoutes(server, deps);
  embedRoutes(server, deps);
  guestFormRoutes(server, deps);
  taxesRoutes(server, deps);
  detailsRoutes(server, deps);
  promoCodeRoutes(server, deps);
  freeOrderRoutes(server, deps);
  compRoutes(server, deps);
  withdrawalRoutes(server, deps);
  memberRefundRoutes(server, deps);
  checkoutRoutes(server, deps);
  orderPageRoutes(server, deps);
  transferRoutes(server, deps);
  appleServiceRoutes(server, deps);
  waitingRoomRoutes(server, deps);
  webhookRoutes(server, priority);
  checkInRoutes(server, priority);
  offlineListRoutes(server, priority);
  deviceRoutes(server, deps, priority);
  syncRoutes(server, deps, priority);
  guestSearchRoutes(server, deps, priority);
  earlyCheckInRoutes(server, deps);
  emailRoutes(server, deps);
  refundRoutes(server, deps);
  payoutRoutes(server, deps);
  affiliateRoutes(server, deps);
  teamRoutes(server, deps);
  apiKeyRoutes(server, deps);
  planRoutes(server, deps);
  adminRoutes(server, deps);
  auditRoutes(server, deps);
  alertRoutes(server, deps);
  fundsRoutes(server, deps);
  viewingRoutes(server, deps);
  brakeRoutes(server, deps);
  reportRoutes(server, deps);
  disputeRoutes(server, deps);
  privacyRoutes(server, deps);
  apiRoutes(server, deps);
  changesRoutes(server, deps);
  apiWriteRoutes(server, deps);
  webhookEndpointRoutes(server, deps);
  apiDescriptionRoutes(server, deps);
  health(server, { isReady, build });
  for (const plugin of plugins) await server.register(plugin);
  if (webRoot !== null && pages && render && published.pages && published.embeds) {
    const readEvent = (eventId: string) => readEventPage(deps, eventId);
    await appFiles(server, webRoot);
    const { publicUrl, publishesFunds } = deps;
    const read = {
      readEvent,
      draftPage: draftPages(deps, render),
      readOffer: () => readOffer(deps.db),
      readOrder: (address: OrderAddress) => readConfirmation(deps, address),
      readChanges: (eventId: string) => readChanges(deps, eventId),
      readContact: (about: string) => readContactPage(deps, about),
      successorOf: (slug: string) => successorOf(deps.db, slug, deps.clock.now()),
    };
    await screens(server, {
      webRoot,
      publicUrl,
      publishesFunds,
      pages,
      eventPages: published.pages,
      embeds: published.embeds,
      organizerPages: listings.organizers.pages,
      seriesPages: listings.series.pages,
      views,
      ...read,
    });
  }
  return server;
}
