-- Since when the card company may know the key of the present attempt. It forgets a key after a day, and only while it surely knows it
-- is another one used. Of what is under way nobody knows, so it is taken for as old as it can be.
alter table payouts add column key_since timestamptz;
alter table recoveries add column key_since timestamptz;
alter table refunds add column key_since timestamptz;
update payouts set key_since = requested_at where state <> 'paid';
update recoveries set key_since = created_at where state = 'claimed';
update refunds set key_since = sending_at where state = 'claimed';
