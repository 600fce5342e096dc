import { Link } from 'react-router';
import { supportMailbox } from '#contract/contacts.ts';
import { standardPrice, ticketFeesMessage } from '#contract/offer.ts';
import { MINIMUM_AGE } from '#domain/age.ts';
import { ACTIVE_EVENTS_MAX } from '#domain/plan.ts';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';

export function Terms() {
  return (
    <>
      <p>
        These terms stand between you and Handstamp Software (“we”). Handstamp sells tickets for organizers, admits
        their guests, and pays the organizers. By registering, buying a ticket or using the scanner you accept them.
      </p>

      <h3>1. Who does what</h3>
      <p>
        The organizer holds the event and is responsible for it: that it takes place, is lawful, and is as described. We
        provide the page, the sale, the tickets and the door, and pass on the money. We are not the organizer of any
        event.
      </p>

      <h3>2. Accounts</h3>
      <p>
        Organizers must be at least {MINIMUM_AGE} years old, give true information, and keep their password to
        themselves. Before an event can be created, the email must be verified, the account information complete, and a
        payout account connected. Buyers and attendants need no account. Whoever has an event's attendant code can admit
        its guests: give it only to people you trust.
      </p>

      <h3>3. Plan and fees</h3>
      <p>
        On the Standard plan an organizer has up to {ACTIVE_EVENTS_MAX} active events and pays a processing fee of{' '}
        {standardPrice} per event, taken from its payout, unless it is waived. {ticketFeesMessage} A paid ticket is one
        sold at a price above $0. The reduced fee depends on the paid tickets actually sold and not refunded, not on the
        participants entered. Each ticket's fee is rounded to the cent, half a cent up. We bear the card processor's
        charge.
      </p>
      <p>
        An affiliate code entered when an event is created waives that event's processing fee, and nothing else. It
        works once and not for the organizer who made it. Once the referred organizer has been paid, the processing fee
        of the next event its maker creates is waived too.
      </p>

      <h3>4. Buying</h3>
      <p>
        The price on the event page is the price charged. Payment is by card, on the page of our card processor. While
        you are at the checkout your tickets are held; if you leave without paying they go back on sale. A sale is
        complete when we confirm it with a confirmation number per ticket, on the page and by email. Each ticket admits
        one person once.
      </p>

      <h3 id="refunds">5. Refunds</h3>
      <p>
        A ticket can be refunded from its sale until {SETTLEMENT_HOLD_HOURS} hours after the event ends, unless it was
        scanned at the door or already refunded. The price paid goes back to the card it came from; please allow 3-7
        business days. If the organizer cancels the event, every ticket not yet refunded is refunded in full without a
        request, scanned or not. While a buyer's bank disputes a payment, its tickets cannot be refunded here.
      </p>

      <h3>6. Payouts</h3>
      <p>
        From {SETTLEMENT_HOLD_HOURS} hours after the event ends the organizer can request its payout: the sales that
        were not refunded, less ticket fees and the processing fee. Each event is paid out once. There is no payout
        where no paid ticket was sold or where the fees reach the sales, and none for a cancelled event. If a buyer's
        bank takes a payment back, the organizer owes us that amount.
      </p>

      <h3>7. Conduct</h3>
      <p>
        Do not sell tickets for anything unlawful, use another person's name or photos without the right to them, resell
        stolen tickets, probe or overload the service, or collect other people's information through it. We may take an
        event off sale or close an account that does; buyers then get their money back.
      </p>

      <h3>8. Your content</h3>
      <p>
        What you write and upload stays yours. You allow us to store it and to show it where your event is shown, as
        long as it is there.
      </p>

      <h3>9. Liability</h3>
      <p>
        We run the service with care and do not promise that it is never interrupted. As far as the law allows, we owe
        no more for any claim than the fees we received for the event concerned. Nothing here limits rights that the law
        gives you as a consumer.
      </p>

      <h3>10. Changes and contact</h3>
      <p>
        When these terms change, the date above changes, and organizers are told by email before it counts for them.
        Questions: <a href={`mailto:${supportMailbox}`}>{supportMailbox}</a>, or the <Link to="/FAQ">FAQ</Link>.
      </p>
    </>
  );
}
