import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Offer } from '#contract/app/plans.ts';
import { STARTING_TOKENS } from '#domain/accounts/affiliate.ts';
import { PHOTO_BYTES_MAX, PHOTOS_PER_EVENT_MAX, PHOTOS_SHOWN } from '#domain/limits.ts';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';
import { formatCount } from '#messages/format.ts';
import { ofEachPlan, otherPlanMessage, planPrice, ticketFeesMessage } from '#messages/offer.ts';

export interface Question {
  /** Anchor in the URL. */
  id: string;
  question: string;
  answer: ReactNode;
}

export const forOwners = (offer: Offer): readonly Question[] => [
  {
    id: 'start',
    question: 'What do I need before I can sell?',
    answer: (
      <>
        <ol>
          <li>An account with a verified email.</li>
          <li>Your account information: who you are, your organization and a tax ID. You must be at least 18.</li>
          <li>A Stripe account for payouts. Your profile takes you there.</li>
        </ol>
        <p>If all tickets of your event are free, the verified email is enough.</p>
      </>
    ),
  },
  {
    id: 'cost',
    question: 'What does it cost?',
    answer: (
      <>
        <p>
          The {offer.standard.name} plan is {planPrice(offer.standard.terms.processingCents)} per event, taken from that
          event's payout. Nothing up front, and nothing at all for an event that sells no paid tickets.
        </p>
        <p>{ticketFeesMessage(offer.standard)} Card processing is on us.</p>
        {offer.others.map((plan) => (
          <p key={plan.name}>{otherPlanMessage(plan)}</p>
        ))}
      </>
    ),
  },
  {
    id: 'reduced-fee',
    question: 'When does the reduced ticket fee apply?',
    answer: (
      <p>
        Once the event has sold at least {ofEachPlan(offer, ({ terms }) => formatCount(terms.largeFrom))} paid tickets
        that weren't refunded. Free tickets don't count, and neither does the number of participants you enter. Each fee
        is rounded to the cent, per ticket.
      </p>
    ),
  },
  {
    id: 'payout',
    question: 'When do I get paid?',
    answer: (
      <p>
        You can request your payout in your profile starting {SETTLEMENT_HOLD_HOURS} hours after the event ends. Stripe
        sends it to your bank; how soon it shows up depends on the bank. Cancelled events don't pay out, because buyers
        are refunded.
      </p>
    ),
  },
  {
    id: 'affiliate',
    question: 'What is the affiliate program?',
    answer: (
      <p>
        An affiliate code waives the {ofEachPlan(offer, ({ terms }) => planPrice(terms.processingCents))} processing fee
        for one event. You start with {STARTING_TOKENS} tokens; a code costs one and works once, for another organizer.
        Once that organizer is paid, your next event's fee is waived, too. You earn a token each time one of your events
        pays out.
      </p>
    ),
  },
  {
    id: 'plan',
    question: 'How many events can I run?',
    answer: (
      <p>
        {ofEachPlan(offer, ({ activeEventsMax }) => formatCount(activeEventsMax))} at a time. An event is active until
        it ends or is cancelled, so the next one can go on sale the same night. A series counts as one event, however
        many dates it has.
      </p>
    ),
  },
  {
    id: 'door',
    question: 'How do I scan tickets at the door?',
    answer: (
      <p>
        Your event has an attendant code. At the door, open the event page, choose “I am an Attendant”, and enter the
        code. The phone scans with its camera, or you can type the confirmation number. No account needed. Each ticket
        gets in once; on a second scan, the scanner shows when it was used.
      </p>
    ),
  },
  {
    id: 'cancel',
    question: 'What happens when I cancel an event?',
    answer: (
      <p>
        We automatically refund every ticket in full, even if it was scanned, and email your buyers. This can't be
        undone.
      </p>
    ),
  },
  {
    id: 'edit',
    question: "Can I change an event that's on sale?",
    answer: (
      <p>
        Yes. You can't offer fewer tickets than you've sold, an event with sales can't end in the past, and moving the
        end never makes the payout earlier.
      </p>
    ),
  },
  {
    id: 'photos',
    question: 'How many photos can I add?',
    answer: (
      <p>
        Up to {PHOTOS_PER_EVENT_MAX}, as JPEG, PNG or WebP of at most {PHOTO_BYTES_MAX / 1024 / 1024} MB each. The first{' '}
        {PHOTOS_SHOWN} show on the event page. We remove hidden location and camera data.
      </p>
    ),
  },
  {
    id: 'tax',
    question: 'Why do you ask for a tax ID?',
    answer: (
      <p>
        The law requires us to know who we pay. It's encrypted, and no screen ever shows more than the last 4 digits.
      </p>
    ),
  },
];

export const forAttendees: readonly Question[] = [
  {
    id: 'account',
    question: 'Do I need an account to buy a ticket?',
    answer: (
      <p>
        No. Choose your tickets on the event page and pay by card. All we need is an email address for your tickets.
      </p>
    ),
  },
  {
    id: 'ticket',
    question: 'Where is my ticket?',
    answer: (
      <p>
        On your order page and in your email: one confirmation number and QR code per ticket. The link in the email
        opens the page anytime. Can't find it? Check spam, or{' '}
        <Link to="/find-tickets">have your tickets sent again</Link>.
      </p>
    ),
  },
  {
    id: 'entry',
    question: 'What do I show at the door?',
    answer: (
      <p>
        The QR code, on your phone or printed, or the 10 digits of your confirmation number. Each ticket lets one person
        in, once, and an add-on is handed out once. Don't post it online: the first person to show it gets in.
      </p>
    ),
  },
  {
    id: 'price',
    question: 'Is the price I see the price I pay?',
    answer: <p>Yes. Nothing is added at checkout. The organizer covers ticket fees.</p>,
  },
  {
    id: 'refund',
    question: 'How do I get a refund?',
    answer: (
      <p>
        Choose “Request a Refund” on the event page and enter the confirmation number, until {SETTLEMENT_HOLD_HOURS}{' '}
        hours after the event ends. A ticket that was scanned at the door can't be refunded. The price you paid goes
        back to the same card within 3–7 business days.
      </p>
    ),
  },
  {
    id: 'cancelled',
    question: 'The event was cancelled. What do I do?',
    answer: <p>Nothing. We refund your card automatically and email you.</p>,
  },
  {
    id: 'held',
    question: 'Why does a sold-out event sometimes have tickets again?',
    answer: (
      <p>
        We hold tickets while people check out. If someone doesn't pay, or gets a refund, their tickets go back on sale.
      </p>
    ),
  },
  {
    id: 'paymentProcessor',
    question: 'Does Handstamp see my card number?',
    answer: (
      <p>
        No. You pay on Stripe's page. What we store is in our <Link to="/legal#privacy">privacy policy</Link>.
      </p>
    ),
  },
];
