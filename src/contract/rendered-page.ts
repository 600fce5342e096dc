/** Interface between the server, which loads the props, and the web code, which renders the page. */
import type { Confirmation, OrderAddress } from './app/checkout.ts';
import type { PublicEvent } from './app/events.ts';
import type { Offer } from './app/plans.ts';
import type { ContactPage } from './app/sales/contact.ts';
import type { OrganizerPage } from './app/sales/organizer-page.ts';
import type { ChangesPage } from './app/sales/page-changes.ts';
import type { SeriesPage } from './app/sales/series-page.ts';

/** Embedded in the page, so that its screen needs no request. */
export interface PageProps {
  event?: {
    /** Null in the one page of all unknown events. */
    eventId: string | null;
    /** Reply of the endpoint, or its error for an unknown event. */
    reply: PublicEvent | { msg: string };
  };
  refund?: RefundPage;
  contact?: ContactPage;
  organizer?: OrganizerPage;
  series?: SeriesPage;
  changes?: ChangesPage;
  offer?: Offer;
  /** A paid order. */
  order?: { at: OrderAddress; reply: Confirmation };
}

export interface RefundPage {
  eventId: string;
  title: string;
  timezone: string;
  /** When refunds close. */
  closesAt: string;
  isClosed: boolean;
  isCancelled: boolean;
}

export interface PageRequest {
  /** Without the query. */
  path: string;
  /** The query with its question mark, of screens that read it. */
  search?: string;
  /** Origin of absolute URLs, without a trailing slash. */
  publicUrl: string;
  props: PageProps;
  /** For search engines that indexed the event before it was cancelled. The page itself shows only the cancellation. */
  cancelledEvent?: PublicEvent;
  /** Kept out of search results. */
  isUnlisted?: true;
}

export interface RenderedPage {
  /** The screen's key in the client build's manifest. */
  source: string;
  /** HTML for `<head>`: title, description, structured data. */
  head: string;
  /** HTML of the screen and its layout. */
  body: string;
}

/** These are exported by the server build of the web code. */
export type RenderPage = (request: PageRequest) => RenderedPage;
/** The same of a page with code of its own. */
export type RenderEmbed = (request: PageRequest) => Omit<RenderedPage, 'source'>;
/** The body of a page whose screen is rendered in the browser. */
export type RenderFrame = () => string;
