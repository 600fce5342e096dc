-- Locks nothing: drops functions that were replaced before 0.2.0 was released, which no release calls.
drop function if exists sell_orders(text[], uuid[], text[], text[], text[], integer[], integer[], bytea[], timestamptz);
drop function if exists complete_orders(text[], uuid[], text[], text[], text[], integer[], integer[], bytea[]);
drop function if exists reserve_carts(text[], integer[], uuid[], text[], integer[], integer[], uuid[], uuid[], integer[], integer[], integer[],
                                      integer[], integer[], integer[], uuid[], integer[], integer[], integer[], integer[], integer[], bigint[],
                                      integer[], integer, integer, integer, integer, double precision);
drop function if exists reserve_again(text, uuid);

-- Only those that return something else than they do now.
do $$
declare
  replaced record;
begin
  for replaced in
    select oid::regprocedure as routine from pg_proc
     where pronamespace = current_schema()::regnamespace
       and (proname = 'guest_list_page' and pg_get_function_result(oid) <> 'TABLE(ticket_id uuid, sort_key text)'
            or proname = 'listed_guests'
               and pg_get_function_result(oid) <> 'TABLE(ticket_id uuid, sort_key text, ticket_type_id uuid, state text, channel text)'
            or proname = 'admit_tickets' and pg_get_function_result(oid) not like '%, has_door_notes boolean)')
  loop
    execute format('drop function %s', replaced.routine);
  end loop;
end $$;
