/** Between the server, which knows the props, and the web, which draws pages of them. */
import type { PublicEvent } from './app/events.ts';

/** Written into the page beside its HTML, so that the screen need not ask for it again. */
export interface PageProps {
  event?: {
    eventId: string;
    /** What the call answers; of an unknown event, its refusal. */
    reply: PublicEvent | { msg: string };
  };
  refund?: RefundPage;
}

export interface RefundPage {
  eventId: string;
  title: string;
  timezone: string;
  /** Instant from which refunds are closed. */
  closesAt: string;
  isClosed: boolean;
  isCancelled: boolean;
}

export interface PageRequest {
  /** Without the query. */
  path: string;
  /** Origin of every absolute address, without a trailing slash. */
  publicUrl: string;
  props: PageProps;
  /** For search engines that found the event before it was cancelled; the page itself tells only that it was. */
  cancelledEvent?: PublicEvent;
}

export interface RenderedPage {
  /** The screen's source, as the manifest of the client's build names it. */
  source: string;
  /** HTML that belongs into `<head>`: title, description, what machines read. */
  head: string;
  /** HTML of the screen and the frame around it. */
  body: string;
}

/** Draws a page that has been built for the server. */
export type RenderPage = (request: PageRequest) => RenderedPage;
