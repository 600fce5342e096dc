import { useCallback, useEffect, useRef, useState } from 'react';
import { type EventEmbed, editEmbed, embedSiteForm, eventEmbed } from '#contract/app/programs/embed.ts';
import { EMBED_SITES_MAX } from '#domain/embed/sites.ts';
import { embedErrors, embedSettings as text } from '#messages/programs/embed.ts';
import { call, messageFrom } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import styles from './embed-dialog.module.css';
import { Preview } from './Preview.tsx';

interface EmbedDialogProps {
  eventId: string;
  onClose: () => void;
}

/** Which websites show the event's tickets, the code that they need, and what their visitors see. */
export function EmbedDialog({ eventId, onClose }: EmbedDialogProps) {
  const [embed, setEmbed] = useState<EventEmbed | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const reload = useCallback(async () => {
    try {
      setEmbed(await call(eventEmbed, { eventId }));
      setFailure(null);
    } catch (error) {
      setFailure(failureFrom(error, text.notLoaded));
    }
  }, [eventId]);
  useEffect(() => void reload(), [reload]);

  return (
    <Dialog title={text.dialog} open wide onClose={onClose}>
      {failure && <NotLoaded {...failure} onRetry={reload} />}
      {!embed && !failure && (
        <div role="status" aria-label={text.loading}>
          <Skeleton className={styles.loading} />
        </div>
      )}
      {embed && (
        <div className={styles.parts}>
          <Sites eventId={eventId} sites={embed.sites} onChanged={(sites) => setEmbed({ ...embed, sites })} />
          <Snippet code={embed.snippet} />
          <section className={styles.part} aria-labelledby="embed-preview">
            <h3 id="embed-preview">{text.preview}</h3>
            <p>{embed.isDraft ? text.draft : text.previewLead}</p>
            {!embed.isDraft && <Preview eventId={eventId} />}
          </section>
        </div>
      )}
    </Dialog>
  );
}

interface SitesProps {
  eventId: string;
  sites: readonly string[];
  onChanged: (sites: string[]) => void;
}

function Sites({ eventId, sites, onChanged }: SitesProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useForm(
    embedSiteForm,
    async ({ site }, fields) => {
      const { sites: now } = await call(editEmbed, { eventId, add: site });
      onChanged(now);
      fields.reset();
      toast.success(text.added(now.find((one) => !sites.includes(one)) ?? site.trim()));
    },
    { fallback: text.failed, rejectedField: 'site' },
  );

  async function remove(site: string) {
    try {
      onChanged((await call(editEmbed, { eventId, remove: site })).sites);
      toast.success(text.removed(site));
      // The button that had the focus is gone with its row.
      heading.current?.focus();
    } catch (error) {
      toast.error(messageFrom(error, text.failed));
    }
  }

  return (
    <section className={styles.part} aria-labelledby="embed-sites">
      <h3 id="embed-sites" ref={heading} tabIndex={-1}>
        {text.sites}
      </h3>
      <p>{text.sitesLead}</p>
      {sites.length === 0 ? (
        <p className={styles.none}>{text.noSites}</p>
      ) : (
        <ul className={styles.sites}>
          {sites.map((site) => (
            <li key={site}>
              <span>{site}</span>
              <Button kind="ghost" aria-label={text.removeLabel(site)} onClick={() => void remove(site)}>
                {text.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {sites.length < EMBED_SITES_MAX ? (
        <Form form={form}>
          <TextField
            label={text.site}
            name="site"
            hint={text.siteHint}
            placeholder={text.placeholder}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
          <Button type="submit" busy={form.submitting}>
            {text.add}
          </Button>
        </Form>
      ) : (
        <p>{embedErrors['embed.too-many']}</p>
      )}
    </section>
  );
}

function Snippet({ code }: { code: string }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(code);
      toast.success(text.copied);
    } catch {
      toast.error(text.notCopied);
    }
  }

  return (
    <section className={styles.part} aria-labelledby="embed-code">
      <h3 id="embed-code">{text.snippet}</h3>
      <p>{text.snippetLead}</p>
      <pre className={styles.code}>
        <code>{code}</code>
      </pre>
      <Button kind="ghost" onClick={copy}>
        <Icon name="copy" size={18} />
        {text.copy}
      </Button>
    </section>
  );
}

export { EmbedDialog as Component };
