/**
 * Renders the public pages on the server. Built into a single file that http/page.ts loads, because server code never
 * imports web code.
 */
import type { ComponentType } from 'react';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server.edge';
import { matchPath, StaticRouter } from 'react-router';
import type { PageRequest, RenderEmbed, RenderedPage, RenderFrame } from '#contract/rendered-page.ts';
import { eventNotFound } from '#messages/sales/event-page.ts';
import { App, type Screen } from './App.tsx';
import { ChangesScreen } from './changes/ChangesScreen.tsx';
import { changesHead } from './changes/changes-head.ts';
import { ContactScreen } from './contact/ContactScreen.tsx';
import { contactHead } from './contact/contact-head.ts';
import { EventScreen } from './event-page/EventScreen.tsx';
import { EmbeddedTickets } from './event-page/embed/EmbeddedTickets.tsx';
import { eventHead } from './event-page/event-head.ts';
import { FaqScreen } from './faq/FaqScreen.tsx';
import { faqHead } from './faq/faq-head.ts';
import { FindTicketsScreen } from './find-tickets/FindTicketsScreen.tsx';
import { findTicketsHead } from './find-tickets/find-tickets-head.ts';
import { LandingScreen } from './landing/LandingScreen.tsx';
import { landingHead } from './landing/landing-head.ts';
import { LegalScreen } from './legal/LegalScreen.tsx';
import { legalHead } from './legal/legal-head.ts';
import { OrderScreen } from './order/OrderScreen.tsx';
import { orderHead } from './order/order-head.ts';
import { OrganizerScreen } from './organizer/OrganizerScreen.tsx';
import { organizerHead } from './organizer/organizer-head.ts';
import { seriesHead } from './organizer/series-head.ts';
import { headHtml, type PageHead } from './page-head.ts';
import { PagePropsContext } from './page-props-context.ts';
import { PrivacyScreen } from './privacy/PrivacyScreen.tsx';
import { privacyHead } from './privacy/privacy-head.ts';
import { NotFound } from './shell/NotFound.tsx';
import { notFoundHead } from './shell/not-found-head.ts';

interface ServerScreen {
  path: string;
  Component: ComponentType;
  /** The screen's key in the client build's manifest, used to preload its code and styles. */
  source: string;
  head: (request: PageRequest) => PageHead;
}

const screens: readonly ServerScreen[] = [
  { path: '/', Component: LandingScreen, source: 'landing/LandingScreen.tsx', head: landingHead },
  { path: '/faq', Component: FaqScreen, source: 'faq/FaqScreen.tsx', head: faqHead },
  { path: '/legal', Component: LegalScreen, source: 'legal/LegalScreen.tsx', head: legalHead },
  { path: '/privacy', Component: PrivacyScreen, source: 'privacy/PrivacyScreen.tsx', head: privacyHead },
  {
    path: '/find-tickets',
    Component: FindTicketsScreen,
    source: 'find-tickets/FindTicketsScreen.tsx',
    head: findTicketsHead,
  },
  { path: '/contact/:about', Component: ContactScreen, source: 'contact/ContactScreen.tsx', head: contactHead },
  { path: '/payment/:eventId', Component: EventScreen, source: 'event-page/EventScreen.tsx', head: eventHead },
  {
    path: '/payment/:eventId/changes',
    Component: ChangesScreen,
    source: 'changes/ChangesScreen.tsx',
    head: changesHead,
  },
  { path: '/o/:slug', Component: OrganizerScreen, source: 'organizer/OrganizerScreen.tsx', head: organizerHead },
  { path: '/series/:slug', Component: OrganizerScreen, source: 'organizer/OrganizerScreen.tsx', head: seriesHead },
  { path: '/success', Component: OrderScreen, source: 'order/OrderScreen.tsx', head: orderHead },
  { path: '/order/:token', Component: OrderScreen, source: 'order/OrderScreen.tsx', head: orderHead },
  { path: '/ticket/:ticket', Component: OrderScreen, source: 'order/OrderScreen.tsx', head: orderHead },
  { path: '*', Component: NotFound, source: 'shell/NotFound.tsx', head: notFoundHead },
];

export function renderPage(request: PageRequest): RenderedPage {
  const screen = screens.find(({ path }) => matchPath(path, request.path));
  if (!screen) throw new Error(`no screen is drawn for ${request.path}`);
  const body = htmlOf(screens, request);
  return { source: screen.source, head: headHtml(screen.head(request), request.publicUrl), body };
}

/** What surrounds every screen, shown until the browser has the code of this one. */
export const renderFrame: RenderFrame = () =>
  htmlOf([{ path: '*', Component: () => <div data-frame /> }], { path: '/frame', props: {} });

/** Kept out of search results: the event's own page is in them. */
export const renderEmbed: RenderEmbed = ({ publicUrl, props: { event } }) => {
  const { eventId, reply = { msg: eventNotFound } } = event ?? {};
  const title = 'msg' in reply ? reply.msg : reply.title;
  return {
    head: headHtml({ title, description: title, canonical: null }, publicUrl),
    body: renderToString(
      <StrictMode>
        <EmbeddedTickets eventId={eventId ?? ''} reply={reply} />
      </StrictMode>,
    ),
  };
};

function htmlOf(shown: readonly Screen[], { path, search = '', props }: Omit<PageRequest, 'publicUrl'>): string {
  return renderToString(
    <StrictMode>
      <PagePropsContext value={props}>
        <StaticRouter location={path + search}>
          <App screens={shown} />
        </StaticRouter>
      </PagePropsContext>
    </StrictMode>,
  );
}
