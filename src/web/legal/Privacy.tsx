import { Link } from 'react-router';
import { supportMailbox } from '#contract/contacts.ts';

export function Privacy() {
  return (
    <>
      <p>
        We keep what the tickets, the door and the payout need, and nothing for advertising. We sell no information
        about anyone, and there is no analytics or advertising on our pages.
      </p>

      <h3>What we keep</h3>
      <ul>
        <li>
          <strong>Buyers:</strong> the email address given at the checkout, the tickets, their confirmation numbers,
          what was paid, and whether a ticket was scanned or refunded. Card numbers never reach us.
        </li>
        <li>
          <strong>Organizers:</strong> email, a hash of the password, name, date of birth, phone number, organization,
          events and photos, and a tax ID. The tax ID is encrypted; only its last 4 digits are ever shown, and it is
          sent to nobody.
        </li>
        <li>
          <strong>Attendants:</strong> when and on which device a ticket was scanned.
        </li>
        <li>
          <strong>Everyone:</strong> server logs of what failed and when, without names or addresses, to keep the
          service running; and counts of what was tried, by hashes of network, account and email, to slow down people
          who guess codes.
        </li>
      </ul>
      <p>From uploaded photos we remove the hidden details about place and camera.</p>

      <h3>Who else sees it</h3>
      <ul>
        <li>The organizer of an event sees its guests' email addresses and confirmation numbers.</li>
        <li>Our card processor (Stripe) takes the payment, pays organizers, and learns what it needs for that.</li>
        <li>
          The map on an event page loads its tiles from tile.openstreetmap.org, which sees your address as any website
          you open does. The address of an event may be sent to a geocoding service to find its place on the map.
        </li>
        <li>Authorities, where the law obliges us.</li>
      </ul>

      <h3>How long</h3>
      <p>
        Each thing only as long as it is needed. <Link to="/privacy">What we keep about you</Link> says it for each, and
        a daily job removes what has had its time.
      </p>

      <h3>Children</h3>
      <p>
        We do not serve children under 13 and keep nothing about them knowingly. Organizers must be at least 18. If you
        believe that a child gave us information, write to us and we delete it.
      </p>

      <h3>Your rights</h3>
      <p>
        <Link to="/privacy">See or delete what we keep about you</Link>: buyers by a link that we mail them, organizers
        in their profile. For anything else write to <a href={`mailto:${supportMailbox}`}>{supportMailbox}</a>. We
        answer within 30 days.
      </p>
    </>
  );
}
