/** Begins the page that other websites frame: the tickets of one event, with code of its own, because it has no other screens. */
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { readPageProps } from '#web/page-props.ts';
import '#web/ui/styles/base.css';
import { EmbeddedTickets } from './EmbeddedTickets.tsx';

const root = document.getElementById('root');
const { event } = readPageProps();
if (!root || !event?.eventId) throw new Error('The page has no event.');

hydrateRoot(
  root,
  <StrictMode>
    <EmbeddedTickets eventId={event.eventId} reply={event.reply} />
  </StrictMode>,
);
