-- What the event is billed by, copied from the plan when it is created. Earlier events were all created under these terms.
alter table events add column fee_terms jsonb not null
  default '{"processingCents": 1500, "standard": {"basisPoints": 200, "flatCents": 75},
            "large": {"basisPoints": 180, "flatCents": 50}, "largeFrom": 500}'
  constraint fee_terms_are_whole check ((jsonb_typeof(fee_terms -> 'processingCents') = 'number'
    and jsonb_typeof(fee_terms #> '{standard,basisPoints}') = 'number' and jsonb_typeof(fee_terms #> '{standard,flatCents}') = 'number'
    and jsonb_typeof(fee_terms #> '{large,basisPoints}') = 'number' and jsonb_typeof(fee_terms #> '{large,flatCents}') = 'number'
    and jsonb_typeof(fee_terms -> 'largeFrom') = 'number') is true);
alter table events alter column fee_terms drop default;
