import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { standardPrice, ticketFeesInWords } from '#contract/offer.ts';
import { STARTING_TOKENS } from '#domain/affiliate.ts';
import { LARGE_EVENT_TICKETS } from '#domain/fees.ts';
import { PHOTO_BYTES_MAX, PHOTOS_PER_EVENT_MAX, PHOTOS_SHOWN } from '#domain/limits.ts';
import { ACTIVE_EVENTS_MAX } from '#domain/plan.ts';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';

export interface Question {
  /** Anchor in the URL. */
  id: string;
  question: string;
  answer: ReactNode;
}

export const forOwners: readonly Question[] = [
  {
    id: 'start',
    question: 'What do I need before I can sell?',
    answer: (
      <ol>
        <li>An account with a verified email.</li>
        <li>Your account information: who you are, your organization and a tax ID. You must be at least 18.</li>
        <li>A payout account with our card processor. Your profile leads you there.</li>
      </ol>
    ),
  },
  {
    id: 'cost',
    question: 'What does it cost?',
    answer: (
      <>
        <p>
          The Standard plan is {standardPrice} per event, taken from that event's payout. You pay nothing up front, and
          nothing for an event that sells no paid ticket.
        </p>
        <p>{ticketFeesInWords} We bear the card processor's charge.</p>
      </>
    ),
  },
  {
    id: 'reduced-fee',
    question: 'When does the reduced ticket fee apply?',
    answer: (
      <p>
        When the event has sold at least {LARGE_EVENT_TICKETS} paid tickets that weren't refunded. Free tickets don't
        count, and neither does the number of participants you enter. Each fee is rounded to the cent, per ticket.
      </p>
    ),
  },
  {
    id: 'payout',
    question: 'When do I get paid?',
    answer: (
      <p>
        From {SETTLEMENT_HOLD_HOURS} hours after the event ends you can request the payout in your profile. It goes to
        your own payout account; when your bank shows it depends on the bank. A cancelled event pays nothing out,
        because its buyers get their money back.
      </p>
    ),
  },
  {
    id: 'affiliate',
    question: 'What is the affiliate program?',
    answer: (
      <p>
        An affiliate code waives the {standardPrice} processing fee of the event it is entered for. You start with{' '}
        {STARTING_TOKENS} tokens, a code costs one and works once, for another organizer. When that organizer has been
        paid, the fee of your next event is waived too. Each event you are paid for earns you a token.
      </p>
    ),
  },
  {
    id: 'plan',
    question: 'How many events can I run?',
    answer: (
      <p>
        {ACTIVE_EVENTS_MAX} at a time. An event is active until it ends or is cancelled, so the next one can go on sale
        the same night.
      </p>
    ),
  },
  {
    id: 'door',
    question: 'How do I scan tickets at the door?',
    answer: (
      <p>
        Your event has an attendant code. Anyone at the door opens the event page, chooses “I am an Attendant”, and
        enters it. Their phone then scans by camera, or takes the confirmation number by hand. They need no account.
        Each ticket opens the door once; the second time the scanner says when it came in.
      </p>
    ),
  },
  {
    id: 'cancel',
    question: 'What happens when I cancel an event?',
    answer: (
      <p>
        Every ticket that is not refunded yet is refunded in full, by itself, scanned or not. Each buyer gets one mail.
        It cannot be undone.
      </p>
    ),
  },
  {
    id: 'edit',
    question: 'Can I change an event that is on sale?',
    answer: (
      <p>
        Yes. You cannot offer fewer tickets than are sold, the end of an event with sales cannot move into the past, and
        moving the end never makes the payout earlier.
      </p>
    ),
  },
  {
    id: 'photos',
    question: 'How many photos can I add?',
    answer: (
      <p>
        Up to {PHOTOS_PER_EVENT_MAX}, as JPEG, PNG or WebP of at most {PHOTO_BYTES_MAX / 1024 / 1024} MB each. The first{' '}
        {PHOTOS_SHOWN} show on the event page. We remove the place and camera details hidden in them.
      </p>
    ),
  },
  {
    id: 'tax',
    question: 'Why do you ask for a tax ID?',
    answer: (
      <p>
        The law asks us to know who is paid through us. It is kept encrypted, and no screen ever shows more than the
        last 4 digits.
      </p>
    ),
  },
];

export const forAttendees: readonly Question[] = [
  {
    id: 'account',
    question: 'Do I need an account to buy a ticket?',
    answer: (
      <p>No. Choose your tickets on the event page and pay by card. You only give an email address, for the tickets.</p>
    ),
  },
  {
    id: 'ticket',
    question: 'Where is my ticket?',
    answer: (
      <p>
        On the page after the payment, and in your mail: one confirmation number and QR code per ticket. The page's link
        works again whenever you open it. No mail? Look in the spam folder, then ask the organizer to resend it.
      </p>
    ),
  },
  {
    id: 'entry',
    question: 'What do I show at the door?',
    answer: (
      <p>
        The QR code, on the phone or printed, or read out the 10 digits of the confirmation number. Each ticket lets one
        person in, once. Do not post a photo of it: whoever shows it first comes in.
      </p>
    ),
  },
  {
    id: 'price',
    question: 'Is the price on the page what I pay?',
    answer: <p>Yes. Nothing is added at the checkout. Ticket fees are the organizer's.</p>,
  },
  {
    id: 'refund',
    question: 'How do I get a refund?',
    answer: (
      <p>
        Choose “Request a Refund” on the event page and enter the confirmation number, until {SETTLEMENT_HOLD_HOURS}{' '}
        hours after the event ends. A ticket that was scanned at the door cannot be refunded. The price you paid goes
        back to the same card; please allow 3-7 business days.
      </p>
    ),
  },
  {
    id: 'cancelled',
    question: 'The event was cancelled. What do I do?',
    answer: <p>Nothing. The money goes back to your card by itself, and you get a mail about it.</p>,
  },
  {
    id: 'held',
    question: 'Why does a sold-out event sometimes have tickets again?',
    answer: (
      <p>
        While someone is at the checkout, their tickets are held for them. If they leave without paying, or a ticket is
        refunded, it goes back on sale.
      </p>
    ),
  },
  {
    id: 'cards',
    question: 'Does Handstamp see my card number?',
    answer: (
      <p>
        No. You pay on the page of our card processor. What we keep is in the{' '}
        <Link to="/legal#privacy">privacy policy</Link>.
      </p>
    ),
  },
];
