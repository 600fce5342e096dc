create or replace function utc_text(moment timestamptz) returns text language sql stable as $$
  select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- What the page of an event shows to everyone, but for its stock. `jsonb` has one text for each value, so equal contents have equal hashes.
create or replace function page_content(e events, refund_policy text) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'title', e.title, 'subtitle', e.subtitle, 'description', e.description,
    'startsAt', utc_text(e.starts_at), 'endsAt', utc_text(e.ends_at), 'timezone', e.timezone,
    'venueName', e.venue_name, 'street', e.street, 'city', e.city, 'state', e.state, 'postalCode', e.postal_code,
    'refundPolicy', refund_policy,
    'tickets', coalesce((select jsonb_agg(jsonb_build_object(
                                  'id', t.id, 'name', t.name, 'description', t.description, 'priceCents', t.price_cents,
                                  'hasNamedPrice', t.has_named_price, 'isAddOn', t.is_add_on) order by t.position, t.id)
                           from ticket_types t where t.event_id = e.id and t.removed_at is null and not t.is_hidden), '[]'))
$$;

create or replace function content_hash(content jsonb) returns text language sql immutable as $$
  select encode(sha256(convert_to(content::text, 'UTF8')), 'hex')
$$;
