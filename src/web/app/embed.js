// <handstamp-tickets event="..." from="...">: the tickets of an event in a frame, on websites that its organizer listed. Until the
// frame says how high it is, it stays out of sight, and what the element contains shows: on other websites that is all.
(() => {
  const NAME = 'handstamp-tickets';
  if (customElements.get(NAME)) return;
  const { origin } = new URL(/** @type {HTMLScriptElement} */ (document.currentScript).src);
  const style = new CSSStyleSheet();
  style.replaceSync(
    ':host{display:block}iframe{display:block;width:100%;height:0;border:0;border-radius:16px}[hidden]{display:none}',
  );

  class HandstampTickets extends HTMLElement {
    static observedAttributes = ['event', 'from'];

    constructor() {
      super();
      this.frame = document.createElement('iframe');
      this.frame.title = 'Tickets';
      this.frame.loading = 'lazy';
      this.inside = document.createElement('slot');
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [style];
      root.append(this.inside);
    }

    connectedCallback() {
      addEventListener('message', this);
      this.show();
    }

    disconnectedCallback() {
      removeEventListener('message', this);
    }

    attributeChangedCallback() {
      if (this.isConnected) this.show();
    }

    show() {
      const event = this.getAttribute('event');
      const from = this.getAttribute('from');
      const query = from === null ? '' : `?from=${encodeURIComponent(from)}`;
      // A website that says nothing about themes is light on every device.
      const { colorScheme } = getComputedStyle(this);
      const theme = /dark/.test(colorScheme) ? (/light/.test(colorScheme) ? '' : '#dark') : '#light';
      const src = `${origin}/embed/${encodeURIComponent(event ?? '')}${query}${theme}`;
      if (this.frame.src === src && this.frame.isConnected) return;
      this.resize(0);
      this.frame.remove();
      if (!event) return;
      this.frame.src = src;
      this.inside.before(this.frame);
    }

    /** @param {MessageEvent<{ handstamp?: unknown, height?: unknown } | null>} message */
    handleEvent({ origin: sender, source, data }) {
      const height = Number(data?.height);
      if (sender !== origin || source !== this.frame.contentWindow || !(height > 0)) return;
      this.frame.title = String(data?.handstamp);
      this.resize(Math.min(height, 20_000));
    }

    /** @param {number} height */
    resize(height) {
      this.frame.style.height = `${height}px`;
      this.inside.hidden = height > 0;
    }
  }
  customElements.define(NAME, HandstampTickets);
})();
