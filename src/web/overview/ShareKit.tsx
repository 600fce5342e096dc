import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { type EventOverview, type ShareKind, shareKinds, shareKit } from '#contract/app/records/overview.ts';
import { linkCopied, linkNotCopied } from '#messages/pages.ts';
import { embedSettings } from '#messages/programs/embed.ts';
import { linksPage } from '#messages/records/tracking-links.ts';
import { shareKit as text } from '#messages/sales/share-kit.ts';
import { addressOf } from '#web/api.ts';
import { lazyScreen } from '#web/shell/lazy-screen.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './share-kit.module.css';

const embedDialog = lazyScreen(() => import('./embed/EmbedDialog.tsx'));

interface ShareKitProps {
  eventId: string;
  title: string;
  urls: Pick<EventOverview, 'eventUrl' | 'seriesUrl'>;
  /** Before there is anything else to show. */
  isLarge: boolean;
  seesLinks: boolean;
  mayEdit: boolean;
}

export function ShareKit({
  eventId,
  title,
  urls: { eventUrl, seriesUrl },
  isLarge,
  seesLinks,
  mayEdit,
}: ShareKitProps) {
  return (
    <section className={classNames(styles.card, isLarge && styles.large)} aria-labelledby="share-kit">
      <div className={styles.words}>
        <h2 id="share-kit">{isLarge ? text.firstSale : text.title}</h2>
        <p>{isLarge ? text.firstSaleLead : text.lead}</p>
        <ShareLink title={title} url={eventUrl} copyLabel={text.copy} />
        {seesLinks && (
          <p>
            <Link to={`/events/${eventId}/links`}>{linksPage.fromShareKit}</Link>
          </p>
        )}
        {seriesUrl && (
          <>
            <h3>{text.series}</h3>
            <p>{text.seriesLead}</p>
            <ShareLink title={title} url={seriesUrl} copyLabel={text.copySeries} kind="ghost" />
          </>
        )}
        {mayEdit && <Embed eventId={eventId} />}
      </div>
      <ul className={styles.files}>
        {shareKinds.map((kind) => (
          <ShareFile key={kind} kind={kind} href={addressOf(shareKit, { eventId, kind }).url} />
        ))}
      </ul>
    </section>
  );
}

function Embed({ eventId }: { eventId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <h3>{embedSettings.title}</h3>
      <p>{embedSettings.lead}</p>
      <div className={styles.buttons}>
        <Button kind="ghost" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          {embedSettings.open}
        </Button>
      </div>
      {isOpen && (
        <Suspense>
          <embedDialog.Component eventId={eventId} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function ShareFile({ kind, href }: { kind: ShareKind; href: string }) {
  const name = text.names[kind];
  return (
    <li className={styles.file}>
      <div className={styles.preview}>
        {kind === 'flyer' ? (
          <Icon name="printer" size={40} />
        ) : (
          <img src={href} alt="" loading="lazy" width={kind === 'square' ? 160 : 90} height={160} />
        )}
      </div>
      <a className={styles.download} href={href} download aria-label={`${name}. ${text.download(name)}`}>
        <Icon name="download" size={18} />
        {name}
      </a>
      <span className={styles.note}>{text.notes[kind]}</span>
    </li>
  );
}

interface ShareLinkProps {
  title: string;
  url: string;
  copyLabel: string;
  kind?: 'ghost';
}

function ShareLink({ title, url, copyLabel, kind }: ShareLinkProps) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(url);
      toast.success(linkCopied);
    } catch {
      toast.error(linkNotCopied);
    }
  }

  async function share() {
    try {
      await navigator.share({ title, url });
    } catch (error) {
      // The user closed the sheet.
      if (!(error instanceof DOMException && error.name === 'AbortError')) await copy();
    }
  }

  return (
    <div className={styles.link}>
      {/* Also where the clipboard is unavailable. */}
      <a href={url}>{url.replace(/^https?:\/\//, '')}</a>
      <div className={styles.buttons}>
        <Button kind={kind} onClick={copy}>
          <Icon name="copy" size={18} />
          {copyLabel}
        </Button>
        {'share' in navigator && (
          <Button kind="ghost" onClick={share}>
            <Icon name="share" size={18} />
            {text.share}
          </Button>
        )}
      </div>
    </div>
  );
}
