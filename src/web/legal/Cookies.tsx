export function Cookies() {
  return (
    <>
      <p>
        We only set cookies that the service needs, so there's nothing to consent to. All of them are our own; none are
        for advertising or analytics.
      </p>
      <dl>
        <dt>
          <code>token</code>
        </dt>
        <dd>
          Set when an organizer logs in. It tells the page who is logged in and until when. On its own, it grants no
          access.
        </dd>

        <dt>Session cookie</dt>
        <dd>
          Set together with it and hidden from scripts (HttpOnly). It ties the login to this browser and ends when you
          log out.
        </dd>

        <dt>Browser cookie</dt>
        <dd>
          Set when an organizer logs in, hidden from scripts. For 180 days it tells us that this browser has logged in
          before, so that we can warn the organizer of a new one.
        </dd>

        <dt>Door cookie</dt>
        <dd>
          Set when an attendant enters an event's code, hidden from scripts. It lets this device admit that event's
          guests for 12 hours.
        </dd>

        <dt>Checkout cookie</dt>
        <dd>
          Set when you start a checkout, hidden from scripts. For a day, it lets you return to tickets that we hold for
          you, or release them.
        </dd>

        <dt>Address cookie</dt>
        <dd>
          Set when you confirm your email for free tickets, hidden from scripts. For a day, this browser gets further
          free tickets for that address without a code.
        </dd>

        <dt>
          <code>XSRF-TOKEN</code>
        </dt>
        <dd>A random value that proves a request comes from our own page.</dd>
      </dl>
      <p>
        Besides cookies, this browser may remember your light or dark theme, an unfinished event draft, and an event's
        cart. It also saves the tickets you open, until you press Remove next to them or open a ticket page more than 30
        days after the event, along with the files that page and the scanner need to open offline. All of it stays on
        your device. Until you close the tab, it also remembers which of an organizer's links led you to their event,
        and an order you make there is counted for that link.
      </p>
      <p>
        Map tiles come from tile.openstreetmap.org, and payment takes place on Stripe's pages, where Stripe sets its own
        cookies. You can delete or block cookies in your browser. Without them, you can't log in or use the scanner, but
        you can still buy tickets.
      </p>
    </>
  );
}
